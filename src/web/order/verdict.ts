import { maxFileBytes } from '../../contract/limits.ts'
import type { Quote } from '../options/price-book.ts'
import type { Line } from '../uploads/tray/line.ts'

export type Verdict = {
  /** `bad` lines stay in the tray when the others go */
  readonly level: 'ok' | 'note' | 'warn' | 'bad'
  readonly text: string | null
}

/** A file of the account that may be the same recording. */
export type KnownFile = { readonly id: string; readonly ordered: string }

const ok: Verdict = { level: 'ok', text: null }
const bad = (text: string): Verdict => ({ level: 'bad', text })

function problemOf(line: Line): Verdict | null {
  const { inspection, source } = line
  if (source.kind === 'link' || inspection === null) return null
  if (inspection.unreadable) return bad('The browser could not read it. Drop it again, or remove it.')
  if (line.bytes === 0) return bad('The file is empty. Remove it.')
  if (inspection.format === null) return bad('Not audio or video. It stays here when the others go.')
  if (line.bytes > maxFileBytes) return bad('Over 10 GB. Split it or compress it, then drop the parts.')
  if (inspection.hasSound === false) return bad('No sound track, so there is nothing to transcribe.')
  return null
}

/**
 * What there is to say about a line of the tray before it is paid for.
 * @param twin an earlier line with the same content, of the tray or among the uploads
 * @param known a file of the account with the same name and size
 */
export function verdictOf(line: Line, twin: Line | null, known: KnownFile | null, price: Quote | null): Verdict {
  if (line.source.kind === 'file' && line.source.file === null) {
    return { level: 'bad', text: 'Drop this file again to go on: a reload let go of it.' }
  }
  const problem = problemOf(line)
  if (problem !== null) return problem
  const isKnown = known !== null && (twin === null || twin.state.is === 'ordered')
  if (twin !== null && !isKnown) return { level: 'warn', text: twinText(twin) }
  if (isKnown) return { level: 'warn', text: `Already on the account, ordered ${known.ordered}` }
  if (line.source.kind === 'link')
    return { level: 'note', text: 'Length and price are known once the service has fetched it' }
  if (line.inspection !== null && line.inspection.durationMs === null) {
    const about = price === null ? '' : ', price by its size'
    return { level: 'note', text: `Length is read after the upload${about}` }
  }
  return ok
}

function twinText({ name, state }: Line): string {
  if (state.is === 'draft') return `Same recording as “${name}”`
  if (state.is === 'ordered') return `Same recording as “${name}”, ordered just now`
  if (state.is === 'failed') return `Same recording as “${name}”, whose upload failed: try that one again`
  return `Same recording as “${name}”, which is on its way already`
}

/** For each line of the tray that repeats the content of an earlier one or of an upload, that one. */
export function findTwins(tray: readonly Line[], uploads: readonly Line[]): ReadonlyMap<string, Line> {
  const firsts = new Map<string, Line>()
  const twins = new Map<string, Line>()
  for (const line of [...uploads, ...tray]) {
    const content = line.inspection?.fingerprint
    if (content == null) continue
    const first = firsts.get(content)
    if (first === undefined) firsts.set(content, line)
    else twins.set(line.id, first)
  }
  return twins
}
