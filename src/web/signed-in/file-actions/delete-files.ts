import { account } from '../../base/api/account.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { deleteFile } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queryClient } from '../../base/api/query-client.ts'
import type { FileLibrary } from '../library/library.ts'

export type DeleteResult = { record: FileRecord; problem: string | null }

const atOnce = 4

/**
 * Deletes files with limited concurrency, and reports each result as it arrives. A file that no longer exists counts as
 * deleted; a 409 means that its progress has passed 60 % in the meantime (spec 3).
 */
export async function deleteFiles(
  session: Session,
  library: FileLibrary,
  records: readonly FileRecord[],
  onResult: (result: DeleteResult) => void,
): Promise<void> {
  const waiting = [...records]
  const work = async () => {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      const problem = await deleteOne(session, record)
      if (problem === null) library.remove([record.id])
      else library.reread([record.id])
      onResult({ record, problem })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  library.refresh()
  void queryClient.invalidateQueries({ queryKey: account.overview(session).queryKey })
}

async function deleteOne(session: Session, record: FileRecord): Promise<string | null> {
  try {
    await deleteFile(session, record.id)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) return 'Something went wrong on this page.'
    if (error.status === 404) return null
    if (error.status === 409) {
      return 'It has passed 60% in the meantime and is locked until it is ready. Nothing was deleted or refunded.'
    }
    return error.status === 0 ? `${error.message} It may have been deleted; the list will show.` : error.message
  }
}
