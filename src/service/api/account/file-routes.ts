import type { FastifyInstance } from 'fastify'
import { askedHashes } from '../../../contract/interface/content-hash.ts'
import { maxFilesPerPage } from '../../../contract/interface/limits.ts'
import { changeFile } from '../../orders/file/change-file.ts'
import { deleteFile } from '../../orders/file/delete.ts'
import { knownContent } from '../../orders/file/duplicates.ts'
import { fileNotFound, ownFile } from '../../orders/file/own-file.ts'
import type { Platform } from '../../platform/platform.ts'
import { queryCursor, queryLimit, queryNumber, readBody } from '../http/read-request.ts'
import { fileChangesOf, filePageOf } from './file-pages.ts'

type WithId = { Params: { id: string } }

/** `files` (pages, changes since a version, lookup of known recordings) and `delete-when-ready`. */
export async function fileRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db } = platform

  async function setDeleteWhenReady(accountId: string, fileId: string, wanted: boolean) {
    await ownFile(platform, accountId, fileId)
    const flag = wanted ? 1 : 0
    const file = await changeFile(platform, fileId, (row) =>
      row.delete_when_ready === flag || row.progress_percent === 100 ? null : { delete_when_ready: flag },
    )
    if (file === null) throw fileNotFound()
    const isReady = wanted && file.progress_percent === 100
    if (isReady) await deleteFile(platform, accountId, fileId)
    return { delete_when_ready: file.delete_when_ready === 1, deleted: isReady }
  }

  app.get('files', async (request) => {
    const { id } = request.caller.account
    const limit = queryLimit(request, 200, maxFilesPerPage)
    const since = queryNumber(request, 'since')
    return since === null
      ? await filePageOf(db, id, queryCursor(request), limit)
      : await fileChangesOf(db, id, since, limit)
  })
  app.post('files/known', async (request) => ({
    known: await knownContent(platform, request.caller.account.id, readBody(askedHashes, request).content_hashes),
  }))
  app.put<WithId>('files/:id/delete-when-ready', async ({ caller, params }) =>
    setDeleteWhenReady(caller.account.id, params.id, true),
  )
  app.delete<WithId>('files/:id/delete-when-ready', async ({ caller, params }) =>
    setDeleteWhenReady(caller.account.id, params.id, false),
  )
}
