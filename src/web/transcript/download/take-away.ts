import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import { ApiError, type Session } from '../../api/client.ts'
import { fetchTranscript } from '../../api/files.ts'
import { showToast } from '../../ui/toast.tsx'
import { saveFile } from './save-file.ts'

/** What each format is for, in a few words. */
export const formatNotes: Record<TranscriptFormat, string> = {
  txt: 'Plain text',
  doc: 'Word 97 and later',
  pdf: 'To print and share',
  odt: 'LibreOffice',
  srt: 'Subtitles',
  sbv: 'YouTube captions',
  json: 'Words with times',
}

/** A name that every file system takes. */
export function fileNameOf(name: string, extension: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a file name
  const safe = name.replaceAll(/[\u0000-\u001f\u007f\\/:*?"<>|]/g, '_').trim()
  return `${safe === '' ? 'transcript' : safe}.${extension}`
}

/** Saves the service's transcript in a format, as it is; says so where it cannot. */
export async function takeAway(session: Session, id: string, name: string, format: TranscriptFormat): Promise<void> {
  try {
    const response = await fetchTranscript(session, id, format)
    saveFile(await response.blob(), fileNameOf(name, format))
  } catch (error) {
    const detail = error instanceof ApiError ? error.message : 'The connection broke. Try again.'
    showToast({ title: `The ${format.toUpperCase()} file could not be fetched`, detail, tone: 'bad' })
  }
}
