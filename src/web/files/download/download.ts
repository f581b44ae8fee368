import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import { ApiError, type Session } from '../../api/client.ts'
import { fetchTranscript } from '../../api/files.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { dispositionName, saveBlob } from '../../api/save-file.ts'
import { showToast } from '../../ui/toast.tsx'

/** Takes one transcript away. Below 100 % that is the work-in-progress text (spec 4.4), and it is said. */
export async function downloadTranscript(
  session: Session,
  record: FileRecord,
  format: TranscriptFormat,
): Promise<void> {
  const { name } = record.metadata
  try {
    const response = await fetchTranscript(session, record.id, format)
    const fileName = dispositionName(response.headers.get('Content-Disposition'), `${name || record.id}.${format}`)
    saveBlob(await response.blob(), fileName)
    if (record.percent < 100) {
      showToast({
        title: `Saved ${fileName}`,
        detail: `The transcript is at ${Math.floor(record.percent)} %, so this is the work-in-progress text.`,
      })
    }
  } catch (error) {
    const detail = error instanceof ApiError ? error.message : 'The download broke off. Try again.'
    showToast({ tone: 'bad', title: `“${name || record.id}” could not be downloaded`, detail })
  }
}
