import { deleteWhenReady } from '../../../contract/account/file-pages.ts'
import { accountUrl } from './addresses.ts'
import { type Credentials, readJson, request } from './client.ts'

/** Asks the service to delete a file as soon as it is ready, or no longer. A ready file is deleted at once. */
export async function setDeleteWhenReady(
  credentials: Credentials,
  id: string,
  on: boolean,
): Promise<{ delete_when_ready: boolean; deleted: boolean }> {
  const url = accountUrl(credentials.environment, `files/${encodeURIComponent(id)}/delete-when-ready`)
  return await readJson(await request(credentials, url, { method: on ? 'PUT' : 'DELETE' }), deleteWhenReady)
}
