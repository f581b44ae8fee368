import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { pagePolicy } from '../http/security-headers.ts'
import { type DocumentPart, documentParts, openApiDocument } from './document.ts'

/**
 * `/openapi.json` and its parts by whom they are for (`/openapi/customers.json`), which are public. Each is made when it
 * is first asked for, so that no start waits for it.
 */
export async function openApiRoutes(
  app: FastifyInstance,
  { supportEmail }: Pick<Config, 'supportEmail'>,
): Promise<void> {
  const add = (path: string, part: DocumentPart | null) => {
    let body: Buffer | null = null
    app.get(path, (_request, reply) => {
      body ??= Buffer.from(JSON.stringify(openApiDocument(supportEmail, part)))
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-security-policy', pagePolicy)
        .send(body)
    })
  }
  add('/openapi.json', null)
  for (const part of documentParts) add(`/openapi/${part}.json`, part)
}
