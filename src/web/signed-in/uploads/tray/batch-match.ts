import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { liveIfShown } from '../../library/live.ts'
import { getSession } from '../../session/session.ts'
import { isOfBatch, orderedIds } from '../batch.ts'
import { nameWithoutExtension } from '../queue/existing-file.ts'
import { uploadList } from '../uploads.ts'
import { isOwnedBy, needsFile, type Owner, type Upload } from './upload.ts'

/** True if the upload is of this very file, by name, size and time. */
export function isOfFile({ source, name, bytes }: Upload, file: File): boolean {
  return (
    source.kind === 'file' && name === file.name && bytes === file.size && source.lastModified === file.lastModified
  )
}

/** True if this file became the record. After it was renamed here, only its size tells. */
function isRecordOf({ metadata, labels }: FileRecord, file: File): boolean {
  return Number(metadata.bytes) === file.size && (!!labels?.name || metadata.name === nameWithoutExtension(file.name))
}

/**
 * Finds which chosen files a batch already has, in this tab or, after a reload, in the account. Each of its files is
 * found once, so a second copy of a recording counts as another one.
 * @returns a function: null if the batch has not got the file, or needs it to continue
 */
export function matchBatch(owner: Owner, batch: string): (file: File) => 'sent' | 'sending' | null {
  const uploads = new Set(
    uploadList.all().filter((upload) => isOfBatch(upload, batch) && isOwnedBy(upload, owner) && !needsFile(upload)),
  )
  const ordered = orderedIds([...uploads])
  const session = getSession(owner.environment)
  const rows = (session && liveIfShown(session)?.library.snapshot.get().rows) ?? []
  const isElsewhere = (record: FileRecord | null) => record?.batch === batch && !ordered.has(record.id)
  const records = new Set(rows.flatMap(({ record }) => (record && isElsewhere(record) ? [record] : [])))
  return (file) => {
    const upload = [...uploads].find((one) => isOfFile(one, file))
    if (upload) {
      uploads.delete(upload)
      return upload.state.is === 'ordered' ? 'sent' : 'sending'
    }
    const record = [...records].find((one) => isRecordOf(one, file))
    return record && records.delete(record) ? 'sent' : null
  }
}
