import { refundHeader } from '../../../contract/interface/headers.ts'
import { account } from '../../base/api/account.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { deleteFile } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queryClient } from '../../base/api/query-client.ts'
import type { FileLibrary } from '../library/library.ts'

export type DeleteResult = {
  record: FileRecord
  problem: string | null
  /** it was not deleted because only so many cents would be refunded by now */
  refundCents: number | null
}

const atOnce = 4

/**
 * Deletes files with limited concurrency, and reports each result as it arrives. A file that no longer exists counts as
 * deleted; a 409 means that its progress has passed 60 % in the meantime (spec 3), or less would be refunded.
 * @param refundOf what was shown as the refund of a file, in cents
 */
export async function deleteFiles(
  session: Session,
  library: FileLibrary,
  records: readonly FileRecord[],
  refundOf: (record: FileRecord) => number,
  onResult: (result: DeleteResult) => void,
): Promise<void> {
  const waiting = [...records]
  const work = async () => {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      const result = await deleteOne(session, record, refundOf(record))
      if (result.problem === null) library.remove([record.id])
      else library.reread([record.id])
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  library.refresh()
  void queryClient.invalidateQueries({ queryKey: account.overview(session).queryKey })
}

async function deleteOne(session: Session, record: FileRecord, shownCents: number): Promise<DeleteResult> {
  try {
    await deleteFile(session, record.id, shownCents)
    return { record, problem: null, refundCents: null }
  } catch (error) {
    const refund = error instanceof ApiError ? error.header(refundHeader) : null
    return { record, problem: problemOf(error), refundCents: refund ? Number(refund) : null }
  }
}

function problemOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page.'
  if (error.status === 404) return null
  if (error.status === 409 && !error.header(refundHeader)) {
    return 'It has passed 60% in the meantime and is locked until it is ready. Nothing was deleted or refunded.'
  }
  return error.status === 0 ? `${error.message} It may have been deleted; the list will show.` : error.message
}
