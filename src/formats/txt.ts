import type { Transcript } from '../text/transcript.ts'
import {
  damageNotice,
  hasHeader,
  isDoubleSpaced,
  missingLines,
  noSpeechNotice,
  splitParts,
} from '../text/transcript.ts'
import { labelledTurns, turnPrefix } from './labelled-turns.ts'
import { headerLines } from './template-header.ts'
import { markedText } from './text-parts.ts'

/**
 * The notice block at the start of a work-in-progress text (spec 2.5): how the transcript is incomplete. The separator
 * line ends it.
 */
export const workInProgressNotice = [
  'WORK IN PROGRESS',
  'This transcript is incomplete. Sections may be missing, and there may be more mistakes,',
  'blanks and speaker inconsistencies than in the finished transcript.',
].join('\n')

export const separatorLine = '-'.repeat(80)

function* turnLines(transcript: Transcript): Generator<string> {
  const gap = isDoubleSpaced(transcript.options) ? '\n' : ''
  let isFirst = true
  for (const turn of labelledTurns(transcript)) {
    const prefix = turnPrefix(turn)
    yield `${isFirst ? '' : gap}${prefix}${prefix === '' ? '' : ' '}${markedText(turn.parts)}\n`
    isFirst = false
  }
}

/** The finished text transcripts of a document, separated by blank lines, and what is missing. */
export function* renderTxt(transcript: Transcript): Generator<string> {
  for (const [index, part] of splitParts(transcript).entries()) {
    if (index > 0) yield '\n\n\n'
    yield* renderPart(part)
  }
  const missing = missingLines(transcript)
  if (missing.length > 0) yield `\n\n\n${missing.join('\n')}\n`
}

/**
 * The finished text transcript: the template's header and a blank line, then one line per turn of the form `<mm:ss>
 * <speaker>: <text>` (spec 2.5), with a blank line between if double spaced; at the end, what was unreadable.
 */
function* renderPart(transcript: Transcript): Generator<string> {
  if (hasHeader(transcript.options)) yield `${headerLines(transcript).join('\n')}\n\n`
  if (transcript.turns.length === 0) yield `${noSpeechNotice}\n`
  yield* turnLines(transcript)
  const damage = damageNotice(transcript)
  if (damage !== null) yield `\n${damage}\n`
}

/** The work-in-progress text of spec 2.5: notice block, separator line, then the lines so far. */
export function* renderWorkInProgress(transcript: Transcript): Generator<string> {
  yield `${workInProgressNotice}\n${separatorLine}\n`
  yield* turnLines(transcript)
}
