import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { buildCues, cueWarnings } from '../../../formats/captions/cues.ts'
import { formatTable } from '../../../formats/format-table.ts'
import { readTxt } from '../../../formats/read-txt.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { changeBetween } from '../../../text/correction-set.ts'
import type { Transcript } from '../../../text/transcript.ts'
import { apiUrl, filePath } from '../../base/api/addresses.ts'
import { ApiError, request, type Session } from '../../base/api/client.ts'
import { openCorrections } from '../../base/api/corrections.ts'
import { type CorrectionDocument, readDocument, readSynced, type Synced } from '../edit/correction-store.ts'
import type { Corrected } from '../edit/operation.ts'
import { reapply } from '../edit/reapply.ts'
import { readWords } from '../model/read-words.ts'
import { matchSpeakers } from '../model/speakers.ts'
import { type TableColumns, WordTable } from '../model/word-table.ts'
import type { MakeAnswer, MakeOrder, MakeRequest, Preview } from './make-file.ts'
import { pdfKit } from './pdf-kit.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

type Text = Corrected & { left: number; isCorrected: boolean }
type OfService = Extract<MakeRequest, { session: Session }>

/** The corrections to apply: this device's if the service does not have all of them, else the service's. */
async function correctionsFor({ kind, session, id }: OfService): Promise<CorrectionSet | CorrectionDocument | null> {
  if (kind === 'original') return null
  const key = [session.environment, session.account, id] as const
  const [document, synced] = await Promise.all([readDocument(key), readSynced(key)])
  if (document !== null && !isSent(document, synced)) return document
  if (kind === 'unsent') return null
  try {
    return (await openCorrections(session, id).fetch(0))?.set ?? null
  } catch (error) {
    // The service does not store corrections.
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** The service's text with its corrections; null if only unsent ones are requested and there are none. */
async function serviceText(wanted: OfService): Promise<Text | null> {
  const { kind, session, id, ordered } = wanted
  const set = await correctionsFor(wanted)
  if (set === null && kind === 'unsent') return null
  const read = (format: 'json' | 'txt') => request(session, apiUrl(session.environment, filePath(id, format)))
  const { body } = await read('json')
  const table = new WordTable()
  if (body === null) throw new ApiError(0, 'The service sent no transcript.')
  const { fingerprint, end } = await readWords(body, (chunk) => table.append(chunk))
  // A truncated transcript must not be saved as if complete.
  if (end !== 'whole') throw new ApiError(0, `What the service sent is ${end}.`)
  const names = matchSpeakers(table, readTxt(await (await read('txt')).text(), ordered).lines)
  if (set === null) return { table, names, left: 0, isCorrected: false }
  const { conflicts, ...text } = reapply({ table, names, fingerprint }, set)
  const older = 'conflicts' in set ? set.conflicts.length : 0
  return { ...text, left: conflicts.length + older, isCorrected: true }
}

function isSent(document: CorrectionSet, synced: Synced | null): boolean {
  return synced !== null && synced.isOlder !== true && changeBetween(synced.set, document, '') === null
}

async function loadText(wanted: MakeRequest): Promise<Text | null> {
  if (wanted.kind !== 'table') return await serviceText(wanted)
  const table = WordTable.of(wanted.table as TableColumns)
  return { table, names: wanted.names, left: 0, isCorrected: false }
}

/** The number of captions that violate a rule. */
function faultyCues(transcript: Transcript, rules: CaptionRules): number {
  return new Set([...cueWarnings(buildCues(transcript, rules), rules, transcript.durationMs)].map(({ cue }) => cue))
    .size
}

const previewLines = 60
const previewCharacters = 6_000

/** A preview of the file's beginning; documents as laid out in PDF. */
async function makePreview(
  transcript: Transcript,
  { format, captions }: MakeRequest,
  hasSemicolons?: boolean,
): Promise<Preview> {
  if (formatTable[format].kind === 'document') {
    const { firstPage } = await import('../../../formats/documents/pdf/first-page.ts')
    return { page: await firstPage(transcript, await pdfKit()) }
  }
  const decoder = new TextDecoder()
  let text = ''
  const means = { ...(captions && { captions }), ...(hasSemicolons && { hasSemicolons }), pdfKit }
  for (const chunk of await renderFormat(transcript, formatTable[format].previewedAs ?? format, means)) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > previewCharacters) break
  }
  const lines = text.slice(0, previewCharacters).split('\n')
  return { page: null, text: lines.slice(0, previewLines).join('\n') }
}

/** Texts collected for one combined document. */
const gathered: Transcript[] = []

async function makeBlob(...file: Parameters<typeof renderFormat>): Promise<Blob> {
  return new Blob([...(await renderFormat(...file))] as Uint8Array<ArrayBuffer>[])
}

async function answer(order: MakeOrder): Promise<MakeAnswer> {
  if (order.task === 'join') {
    const [first, ...more] = gathered
    if (first === undefined) throw new ApiError(0, 'None of the files could be read.')
    if (gathered.length < order.count) throw new ApiError(0, 'The document could not be made whole.')
    const content = await makeBlob({ ...first, more, missing: order.missing }, order.format, { pdfKit })
    return { kind: 'file', file: { content, warnings: 0, left: 0, names: [], isCorrected: false } }
  }
  const { task, wanted, hasSemicolons } = order
  const { about, format, captions } = wanted
  const text = await loadText(wanted)
  if (text === null) return { kind: 'nothing unsent' }
  const { names, left, isCorrected } = text
  const transcript = transcriptOfTable(text.table, names, about)
  if (task === 'gather') {
    gathered.push(transcript)
    return { kind: 'gathered' }
  }
  if (task === 'preview') return { kind: 'preview', preview: await makePreview(transcript, wanted, hasSemicolons) }
  const means = { ...(captions && { captions }), ...(hasSemicolons && { hasSemicolons }), pdfKit }
  const content = await makeBlob(transcript, format, means)
  const warnings = captions && formatTable[format].kind === 'captions' ? faultyCues(transcript, captions) : 0
  return { kind: 'file', file: { content, warnings, left, names, isCorrected } }
}

self.addEventListener('message', async ({ data }: MessageEvent<MakeOrder>) => {
  try {
    self.postMessage(await answer(data))
  } catch (error) {
    const { status, message, retryAfterMs } =
      error instanceof ApiError ? error : new ApiError(0, 'The file could not be created.')
    self.postMessage({ kind: 'failed', status, message, retryAfterMs } satisfies MakeAnswer)
  }
})
