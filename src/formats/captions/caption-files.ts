import type { CaptionRules } from '../../contract/account/captions.ts'
import { captionTime } from '../../text/clock-time.ts'
import { escapeXml } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { titleLine } from '../template-header.ts'
import type { Cue } from './cues.ts'
import { buildCues, shownLines } from './cues.ts'

/** The only caption of a recording without speech. */
const noSpeechCaption = '[No speech]'

function* cuesOrNotice(transcript: Transcript, rules?: CaptionRules): Generator<Cue> {
  let isEmpty = true
  for (const cue of buildCues(transcript, rules)) {
    isEmpty = false
    yield cue
  }
  if (!isEmpty) return
  const endMs = Math.min(Math.max(Math.round(transcript.durationMs), 1), 7_000)
  yield { startMs: 0, endMs, lines: [noSpeechCaption], speaker: null, mark: '', word: 0 }
}

/**
 * A line that no player parses as a tag, a style override or a time line. SubRip and SubViewer have no escapes, so an
 * invisible word joiner separates `<` or `{` from what follows, and `--` from `>`.
 */
function withoutMarkup(line: string): string {
  return line.replaceAll(/[<{](?=\S)/g, '$&\u2060').replaceAll('-->', '--\u2060>')
}

/** SubRip, following these rules. A dash marks a change of speaker. */
export function* renderSrt(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  let number = 0
  for (const cue of cuesOrNotice(transcript, rules)) {
    const times = `${captionTime(cue.startMs, ',', 2)} --> ${captionTime(cue.endMs, ',', 2)}`
    yield `${++number}\n${times}\n${shownLines(cue).map(withoutMarkup).join('\n')}\n\n`
  }
}

/** SubViewer in YouTube's dialect: `0:00:01.000,0:00:02.000`, then the lines. */
export function* renderSbv(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  for (const cue of cuesOrNotice(transcript, rules)) {
    const times = `${captionTime(cue.startMs, '.', 1)},${captionTime(cue.endMs, '.', 1)}`
    yield `${times}\n${shownLines(cue).map(withoutMarkup).join('\n')}\n\n`
  }
}

/** WebVTT; each cue's speaker is its voice span, and a cue may be at the top. Text is escaped per the format. */
export function* renderVtt(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  yield `WEBVTT - ${titleLine(transcript).replaceAll('-->', '--\u2060>')}\n\n`
  let number = 0
  for (const cue of cuesOrNotice(transcript, rules)) {
    const times = `${captionTime(cue.startMs, '.', 2)} --> ${captionTime(cue.endMs, '.', 2)}${cue.edit?.top === true ? ' line:0' : ''}`
    const voice = cue.speaker === null ? '' : `<v ${escapeXml(cue.speaker)}>`
    yield `${++number}\n${times}\n${voice}${cue.lines.map(escapeXml).join('\n')}\n\n`
  }
}
