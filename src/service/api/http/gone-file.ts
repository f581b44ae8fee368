import type { FastifyRequest } from 'fastify'
import { fileNotFound } from '../../orders/file/own-file.ts'
import { fileById } from '../../platform/db/change-files.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ServiceError } from '../../platform/service-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Returns the answer if the request's file has been deleted since it was found, else null. */
    findGone?: () => Promise<ServiceError | null>
  }
}

/**
 * Notes which file a request reads: if it is deleted meanwhile, whatever fails for it is answered as if it had never
 * been there.
 * @param answer the error then
 */
export function noteFile(
  request: FastifyRequest,
  { db }: Pick<Platform, 'db'>,
  fileId: string,
  answer: () => ServiceError = fileNotFound,
): void {
  request.findGone = async () => ((await fileById(db, fileId)) === undefined ? answer() : null)
}
