import type { TranscriptFormat } from '../../contract/transcript-formats.ts'
import { ApiError, type Session } from '../api/client.ts'
import { dispositionName } from '../api/disposition-name.ts'
import { fetchTranscript } from '../api/files.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toast.tsx'

/**
 * Fetches the service's transcript in a format and saves it. Below 100 % that is the work-in-progress text (spec 4.4),
 * and a message says so, as one does where it fails.
 */
export async function downloadTranscript(
  session: Session,
  record: FileRecord,
  format: TranscriptFormat,
): Promise<void> {
  const name = record.metadata.name || record.id
  try {
    const response = await fetchTranscript(session, record.id, format)
    const fileName = dispositionName(response.headers.get('Content-Disposition'), `${name}.${format}`)
    saveFile(await response.blob(), fileName)
    if (record.percent === 100) return
    showToast({
      title: `Saved ${fileName}`,
      detail: `The transcript is at ${Math.floor(record.percent)} %, so this is the work-in-progress text.`,
    })
  } catch (error) {
    const detail = error instanceof ApiError ? error.message : 'The download broke off. Try again.'
    showToast({ tone: 'bad', title: `“${name}” could not be downloaded`, detail })
  }
}
