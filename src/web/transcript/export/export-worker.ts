import type { CorrectionSet } from '../../../contract/account-corrections.ts'
import { changeBetween } from '../../../contract/correction-set.ts'
import type { CaptionRules } from '../../../formats/captions/caption-rules.ts'
import { buildCues, cueWarnings } from '../../../formats/captions/cues.ts'
import { formatTable } from '../../../formats/format-table.ts'
import { readTxt } from '../../../formats/read-txt.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import type { Transcript } from '../../../formats/transcript.ts'
import { apiUrl, filePath } from '../../api/addresses.ts'
import { ApiError, request, type Session } from '../../api/client.ts'
import type { About, MakeAnswer, MakeRequest } from '../../library/make-file.ts'
import { readDocument, readSynced, type Synced } from '../edit/correction-store.ts'
import type { Corrected } from '../edit/operation.ts'
import { reapply } from '../edit/reapply.ts'
import { readWords } from '../model/read-words.ts'
import { matchSpeakers } from '../model/speakers.ts'
import { type TableColumns, WordTable } from '../model/word-table.ts'
import { pdfKit } from './pdf-kit.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

type Text = Corrected & { left: number }

/** The service's text with this device's corrections; null where the service has all of them. */
async function correctedText(session: Session, id: string, { options }: About): Promise<Text | null> {
  const key = [session.environment, session.account, id] as const
  const [document, synced] = await Promise.all([readDocument(key), readSynced(key)])
  if (document === null || isSent(document, synced)) return null
  const read = (format: 'json' | 'txt') => request(session, apiUrl(session.environment, filePath(id, format)))
  const { body } = await read('json')
  const table = new WordTable()
  if (body === null) throw new ApiError(0, 'The service sent no transcript.')
  const { fingerprint } = await readWords(body, (chunk) => table.append(chunk))
  const names = matchSpeakers(table, readTxt(await (await read('txt')).text(), options).lines)
  const { conflicts, ...text } = reapply(table, names, document, fingerprint)
  return { ...text, left: conflicts.length + document.conflicts.length }
}

function isSent(document: CorrectionSet, synced: Synced | null): boolean {
  return synced !== null && synced.isOlder !== true && changeBetween(synced.set, document, '') === null
}

async function textOf(wanted: MakeRequest): Promise<Text | null> {
  if (wanted.kind === 'unsent') return await correctedText(wanted.session, wanted.id, wanted.about)
  return { table: WordTable.of(wanted.table as TableColumns), names: wanted.names, left: 0 }
}

/** How many captions break a rule. */
function faultyCues(transcript: Transcript, rules: CaptionRules): number {
  return new Set([...cueWarnings(buildCues(transcript, rules), rules)].map(({ cue }) => cue)).size
}

async function answer(wanted: MakeRequest): Promise<MakeAnswer> {
  const { about, format, captions } = wanted
  const text = await textOf(wanted)
  if (text === null) return { kind: 'nothing unsent' }
  const transcript = transcriptOfTable(text.table, text.names, about)
  const made = await renderFormat(transcript, format, { ...(captions && { captions }), pdfKit })
  const content = new Blob([...made] as Uint8Array<ArrayBuffer>[])
  const warnings = captions && formatTable[format].isCaption ? faultyCues(transcript, captions) : 0
  return { kind: 'file', content, warnings, left: text.left }
}

self.addEventListener('message', async ({ data }: MessageEvent<MakeRequest>) => {
  try {
    self.postMessage(await answer(data))
  } catch (error) {
    const { status, message, retryAfterMs } =
      error instanceof ApiError ? error : new ApiError(0, 'The file could not be created.')
    self.postMessage({ kind: 'failed', status, message, retryAfterMs } satisfies MakeAnswer)
  }
})
