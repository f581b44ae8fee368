import type { CaptionRules } from '../../../contract/account/captions.ts'
import {
  isTranscriptFormat,
  type MenuFormat,
  menuKinds,
  type TranscriptFormat,
} from '../../../contract/interface/transcript-formats.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { dispositionName } from '../../base/api/disposition-name.ts'
import { fetchTranscript } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { correctedFiles } from '../../signed-in/library/corrected-files.ts'
import { correctedText, needsLabels } from './corrected-text.ts'
import { describeFile, makeFile } from './make-file.ts'

/** A file to save, and a sentence about its text. `captions`: their rules and number, if that is what it has. */
type Made = { content: Blob; fileName: string; text?: string | undefined; captions?: string | null }
type Wanted = { session: Session; record: FileRecord; name: string; format: MenuFormat }

type Fetched = Wanted & { format: TranscriptFormat }

/**
 * Saves a transcript in a format: with corrections if there are any, else as the service has it; captions by the
 * transcript's rules. Below 100 % that is the work-in-progress text (spec 4.4). A message says which it is, or that it
 * failed.
 * @param isOriginal without corrections
 */
export async function downloadTranscript(
  session: Session,
  record: FileRecord,
  format: MenuFormat,
  isOriginal = false,
): Promise<void> {
  const name = record.metadata.name || record.id
  const wanted = { session, record, name, format }
  try {
    const isOfCaptions = menuKinds[format] === 'captions' && record.percent === 100
    const { content, fileName, text, captions } = isOfCaptions
      ? await makeCaptions(wanted, isOriginal)
      : ((isOriginal ? null : await makeCorrected(wanted)) ?? (await getOriginal(wanted)))
    saveFile(content, fileName)
    const detail = [captions, text].filter(Boolean).join('. ')
    if (detail !== '') showToast({ title: `Saved ${fileName}`, detail })
  } catch (error) {
    const detail = error instanceof ApiError ? error.message : 'The download was interrupted. Try again.'
    showToast({ tone: 'bad', title: `“${name}” could not be downloaded`, detail })
  }
}

/** Captions by the transcript's rules. */
async function makeCaptions(wanted: Wanted, isOriginal: boolean): Promise<Made> {
  const { record, format } = wanted
  // Loaded on demand: a list seldom needs them.
  const { pickRules, describeCaptions } = await import('./describe-captions.ts')
  const { rules, isByService } = pickRules(record)
  const made =
    (isOriginal ? null : await makeCorrected(wanted, rules)) ??
    (isByService ? await getOriginal(wanted) : await makeOriginal(wanted, rules))
  return { text: 'Without corrections.', ...made, captions: await describeCaptions(format, rules, made.content) }
}

/** Null if nothing is corrected. */
async function makeCorrected({ session, record, name, format }: Wanted, captions?: CaptionRules): Promise<Made | null> {
  const { id } = record
  if (record.corrections === 0 && !correctedFiles(session).has(id)) return null
  const made = await correctedText(session, id, { about: describeFile(record), format, captions })
  if (made === null) return null
  const rest = `${formatCount(made.left, 'correction')} did not fit the new transcript: open it to review them.`
  const text = made.left > 0 ? rest : 'With your corrections.'
  return { content: made.content, fileName: `${name} corrected.${format}`, text }
}

async function makeOriginal({ session, record, name, format }: Wanted, captions?: CaptionRules): Promise<Made> {
  const about = describeFile(record)
  const source = { kind: 'original', session, id: record.id, ordered: about.options } as const
  const made = await makeFile({ ...source, about, format, ...(captions && { captions }) })
  if (made === null) throw new ApiError(0, 'The file could not be created.')
  return { content: made.content, fileName: `${name}.${format}` }
}

/** The service's own file, or one made of its text. */
async function getOriginal({ format, ...wanted }: Wanted): Promise<Made> {
  const isMade = wanted.record.percent === 100 && needsLabels(describeFile(wanted.record), format)
  return isMade || !isTranscriptFormat(format)
    ? await makeOriginal({ ...wanted, format })
    : await fetchOriginal({ ...wanted, format })
}

async function fetchOriginal({ session, record, name, format }: Fetched): Promise<Made> {
  const response = await fetchTranscript(session, record.id, format)
  const told = dispositionName(response.headers.get('Content-Disposition'), `${name}.${format}`)
  // The service names the file for programs; here it may have a custom name.
  const fileName = record.labels?.name ? `${name}${told.slice(told.lastIndexOf('.'))}` : told
  const content = await response.blob()
  if (record.percent === 100) return { content, fileName }
  const text = `The transcript is at ${Math.floor(record.percent)}%, so this is the work-in-progress text.`
  return { content, fileName, text }
}
