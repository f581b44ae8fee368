import { type AccountExport, accountExport, accountExports, newExport } from '../../../contract/account/export.ts'
import { accountBasePath } from '../../../contract/interface/environment.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { findAccountId } from '../../accounts/auth/keys.ts'
import {
  expiryOf,
  findExport,
  listExports,
  readExport,
  removeExport,
  requestExport,
} from '../../operations/export/exports.ts'
import type { AccountExport as Row } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { openRoute, route } from '../http/account-route.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { answer, binary, nothing } from '../http/operation.ts'
import { acceptRange } from '../playback/playback-routes.ts'
import { playbackSecret, playbackToken, readPlaybackToken } from '../playback/playback-token.ts'

async function toExport(platform: Platform, { account, keyId }: Caller, row: Row): Promise<AccountExport> {
  const grant = { fileId: row.id, keyId, expiresAt: expiryOf(row) }
  const token = row.state === 'made' ? playbackToken(await playbackSecret(platform.db), grant) : null
  return {
    id: row.id,
    recordings: row.with_recordings === 1,
    state: row.state,
    files_done: row.files_done,
    files: row.files,
    bytes: row.bytes,
    created: iso(row.created_at),
    expires: iso(expiryOf(row)),
    url: token === null ? null : `${accountBasePath(account.environment)}exported/${token}`,
    error: row.error,
  }
}

const zip = { 'application/zip': binary }

/** `exports`: the whole account as one ZIP; `exported/<token>`: the ZIP, without a key. */
export const exportRoutes = [
  route(
    'get /exports',
    'Exports of the account',
    { right: 'manage', 200: accountExports },
    async ({ platform, caller }) => {
      const rows = await listExports(platform, caller.account.id)
      return { exports: await Promise.all(rows.map((row) => toExport(platform, caller, row))) }
    },
  ),
  route(
    'post /exports',
    'Make a copy of the whole account',
    {
      description:
        'One ZIP of every transcript as JSON and DOCX, corrections with their versions, names, notes, tags, projects, vocabulary, rules, log, ledger, receipts and settings, and every recording if they are wanted. It is made in the background: ask for `exports` until it has a `url`. It replaces an earlier one, and is removed after three days, or when one of its files is deleted.',
      whileClosed: true,
      body: newExport,
      202: answer(accountExport, 'It is being made.'),
      409: 'Another one is being made.',
    },
    async ({ platform, caller, body }) =>
      await toExport(platform, caller, await requestExport(platform, caller.account.id, body.recordings)),
  ),
  route(
    'delete /exports/{id}',
    'Remove an export',
    { whileClosed: true, 204: nothing },
    async ({ platform, caller, params }) =>
      await removeExport(platform, (await findExport(platform, caller.account.id, params.id)).id),
  ),
  openRoute(
    'get /exported/{token}',
    'The ZIP itself, at the URL of the export',
    {
      description:
        'Needs no key, so that any program can download it. Supports `Range`: a download goes on in the middle.',
      200: { description: 'The ZIP.', content: zip },
      206: { description: 'The requested range.', content: zip },
      404: 'The URL or its key has expired, or the export was removed.',
      416: 'The ZIP has no such range.',
      http: { method: ['GET', 'HEAD'], exposeHeadRoute: false },
    },
    async ({ platform, params, request, reply }) => {
      const { db, clock } = platform
      const grant = readPlaybackToken(await playbackSecret(db), params.token, clock())
      const accountId = grant === null ? undefined : await findAccountId(db, grant.keyId, clock())
      if (grant === null || accountId === undefined) throw new ServiceError(404, 'This URL has expired.')
      const row = await findExport(platform, accountId, grant.fileId)
      const etag = `"${row.id}"`
      reply
        .header('content-type', 'application/zip')
        .header('content-disposition', attachmentNamed(`Parley export ${iso(row.created_at).slice(0, 10)}.zip`))
        .header('etag', etag)
        .header('cache-control', 'private, no-store')
      const range = acceptRange(request, reply, { name: 'export', bytes: row.bytes, etag })
      return request.method === 'HEAD' ? reply.send() : reply.send(await readExport(platform, row, range))
    },
  ),
]
