import type { TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { dispositionName } from '../../base/api/disposition-name.ts'
import { fetchTranscript } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { correctedFiles } from '../../signed-in/library/corrected-files.ts'
import { correctedText } from './corrected-text.ts'
import { describeFile } from './make-file.ts'

/**
 * Saves a transcript in a format: with corrections if there are any, else as the service has it.
 * Below 100 % that is the work-in-progress text (spec 4.4). A message says which it is, or that it failed.
 * @param isOriginal without corrections
 */
export async function downloadTranscript(
  session: Session,
  record: FileRecord,
  format: TranscriptFormat,
  isOriginal = false,
): Promise<void> {
  const name = record.metadata.name || record.id
  try {
    if (!isOriginal && (await saveCorrected(session, record, name, format))) return
    const response = await fetchTranscript(session, record.id, format)
    const told = dispositionName(response.headers.get('Content-Disposition'), `${name}.${format}`)
    // The service names the file for programs; here it may have a custom name.
    const fileName = record.labels?.name ? `${name}${told.slice(told.lastIndexOf('.'))}` : told
    saveFile(await response.blob(), fileName)
    if (record.percent === 100) return
    showToast({
      title: `Saved ${fileName}`,
      detail: `The transcript is at ${Math.floor(record.percent)}%, so this is the work-in-progress text.`,
    })
  } catch (error) {
    const detail = error instanceof ApiError ? error.message : 'The download was interrupted. Try again.'
    showToast({ tone: 'bad', title: `“${name}” could not be downloaded`, detail })
  }
}

/** @returns false if nothing is corrected */
async function saveCorrected(
  session: Session,
  record: FileRecord,
  name: string,
  format: TranscriptFormat,
): Promise<boolean> {
  const { id } = record
  if (record.corrections === 0 && !correctedFiles(session).has(id)) return false
  const made = await correctedText(session, id, describeFile(record), format)
  if (made === null) return false
  const fileName = `${name} corrected.${format}`
  saveFile(made.content, fileName)
  const rest = `${formatCount(made.left, 'correction')} did not fit the new transcript: open it to review them.`
  showToast({ title: `Saved ${fileName}`, detail: made.left > 0 ? rest : 'With your corrections.' })
  return true
}
