import type { CaptionRules } from '../../../../contract/account/captions.ts'
import { cutFileName } from '../../../../contract/interface/file-name.ts'
import { isTranscriptFormat, unfinishedFormat } from '../../../../contract/interface/transcript-formats.ts'
import { withTimingOf } from '../../../../formats/captions/caption-rules.ts'
import type { ExportFormat } from '../../../../formats/format-table.ts'
import { ApiError, isWorthRetrying, type Session } from '../../../base/api/client.ts'
import { fetchTranscript } from '../../../base/api/files.ts'
import { aboutWith, isAsOrdered, patternName } from '../../../transcript/downloads/apply-choices.ts'
import type { Choices } from '../../../transcript/downloads/choices.ts'
import { correctedText } from '../../../transcript/downloads/corrected-text.ts'
import { type About, type Maker, makeFile, startMaker } from '../../../transcript/downloads/make-file.ts'

/** An entry of the archive. `isReady` false: only its work-in-progress text exists. */
export type ZipItem = {
  id: string
  name: string
  about: About
  isCorrected: boolean
  isReady: boolean
  /** of its captions */
  rules: CaptionRules
}
/** Contents and settings of an archive. */
export type ZipContents = { session: Session; items: readonly ZipItem[]; format: ExportFormat; choices: Choices }
export type ZipFailure = Pick<ZipItem, 'id' | 'name'> & { reason: string }
export type ZipProgress = { done: number; failures: readonly ZipFailure[] }

const maxAttempts = 4
/** Truncates taken names to this length, leaving room for a number and the extension. */
const stemUnits = 180

/** `Talk.txt` if free, else `Talk (2).txt`; names must differ by more than case, since some file systems ignore it. */
export function uniqueName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
  let unique = name
  for (let count = 2; taken.has(unique.toLowerCase()); count += 1)
    unique = `${cutFileName(stem, stemUnits)} (${count})${ending}`
  taken.add(unique.toLowerCase())
  return unique
}

/**
 * Yields the transcripts of an archive one by one, so that memory holds one at a time. Failures are skipped and
 * reported; a 429 waits as long as the service asks.
 */
export async function* zipEntries(
  { items, ...how }: ZipContents,
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
): AsyncGenerator<{ name: string; input: Response | Blob }> {
  const taken = new Set<string>()
  const failures: ZipFailure[] = []
  const maker = startMaker()
  try {
    for (const [index, item] of items.entries()) {
      signal.throwIfAborted()
      try {
        const { name, input } = await patiently(() => loadTranscript(item, how, signal, maker))
        yield { name: uniqueName(name, taken), input }
      } catch (error) {
        signal.throwIfAborted()
        failures.push(toZipFailure(item, error))
      }
      onProgress({ done: index + 1, failures: [...failures] })
    }
  } finally {
    maker.close()
  }
  if (failures.length > 0) {
    const report = `These files are missing from this ZIP:\r\n\r\n${failures.map(failureLine).join('\r\n')}\r\n`
    yield { name: uniqueName('Missing files.txt', taken), input: new Response(report) }
  }
}

/** Why a file is missing. */
export function toZipFailure({ id, name }: ZipItem, error: unknown): ZipFailure {
  return { id, name, reason: error instanceof ApiError ? error.message : 'The download was interrupted.' }
}

/** A missing file as a line of a report. */
export function failureLine({ name, id, reason }: ZipFailure): string {
  return `${name} (${id}): ${reason}`
}

type Entry = { name: string; input: Response | Blob }

/** The service's own file if that was chosen, else one generated here. */
async function loadTranscript(
  { id, name, about, isCorrected, isReady, rules }: ZipItem,
  { session, format, choices }: Omit<ZipContents, 'items'>,
  signal: AbortSignal,
  maker: Maker,
): Promise<Entry> {
  const given = isTranscriptFormat(format) ? format : 'txt'
  const parts = { id, name, date: about.created.slice(0, 10), speakers: [] }
  const fetched = async (): Promise<Entry> => {
    const input = await fetchTranscript(session, id, given, signal)
    const name = patternName(choices.pattern, isReady ? given : unfinishedFormat, { ...parts, corrected: false })
    return { name, input }
  }
  if (!isReady) return await fetched()
  const captions = withTimingOf(rules, choices.captions)
  if (isAsOrdered(format, choices, rules, about)) {
    const made = isCorrected
      ? await correctedText(session, id, { about, format: given, captions, signal, maker })
      : null
    if (made === null) return await fetched()
    return { name: patternName(choices.pattern, format, { ...parts, corrected: true }), input: made.content }
  }
  const kind = isCorrected ? 'corrected' : 'original'
  const source = { kind, session, id, ordered: about.options } as const
  const made = await makeFile({ ...source, about: aboutWith(about, choices), format, captions }, maker)
  if (made === null) throw new ApiError(0, 'The file could not be created.')
  const names = { ...parts, speakers: made.names, corrected: made.isCorrected }
  return { name: patternName(choices.pattern, format, names), input: made.content }
}

/** Calls `get`, with retries if they may help: after a 429 it waits as long as the service asks. */
export async function patiently<Value>(get: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await get()
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === maxAttempts) throw error
      const waitMs = (error as ApiError).retryAfterMs ?? 400 * attempt
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
