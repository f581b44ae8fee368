import type { CaptionRules } from '../../contract/account/captions.ts'
import { captionTime } from '../../text/clock-time.ts'
import { escapeXml } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { titleLine } from '../template-header.ts'
import type { Cue } from './cues.ts'
import { buildCues, shownLines } from './cues.ts'

/** The only caption of a recording without speech. */
const noSpeechCaption = '[No speech]'

/** The captions, at the times of the files; one that says so if there is no speech. */
export function* cuesOrNotice(transcript: Transcript, rules?: CaptionRules): Generator<Cue> {
  const { beginsAtSeconds = 0, captionsOfClock = false } = transcript
  const laterMs = captionsOfClock ? Math.round(beginsAtSeconds * 1_000) : 0
  let isEmpty = true
  for (const cue of buildCues(transcript, rules)) {
    isEmpty = false
    yield { ...cue, startMs: cue.startMs + laterMs, endMs: cue.endMs + laterMs }
  }
  if (!isEmpty) return
  const endMs = Math.min(Math.max(Math.round(transcript.durationMs), 1), 7_000)
  const times = { startMs: laterMs, endMs: laterMs + endMs, set: { startMs: null, endMs: null } }
  yield { ...times, lines: [noSpeechCaption], speaker: null, mark: '', word: 0, continues: false }
}

/**
 * A line that no player parses as a tag, a style override or a time line. SubRip and SubViewer have no escapes, so an
 * invisible word joiner separates `<` or `{` from what follows, and `--` from `>`.
 */
function withoutMarkup(line: string): string {
  return line.replaceAll(/[<{](?=\S)/g, '$&\u2060').replaceAll('-->', '--\u2060>')
}

/**
 * The same for SubRip: players built on libass hide all text between braces, whatever else stands there. Ornaments that
 * look like braces replace them.
 */
function withoutCode(line: string): string {
  return withoutMarkup(line.replaceAll('{', '\u2774').replaceAll('}', '\u2775'))
}

/** SubRip, following these rules. A dash marks a change of speaker. */
export function* renderSrt(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  let number = 0
  for (const cue of cuesOrNotice(transcript, rules)) {
    const times = `${captionTime(cue.startMs, ',', 2)} --> ${captionTime(cue.endMs, ',', 2)}`
    yield `${++number}\n${times}\n${shownLines(cue).map(withoutCode).join('\n')}\n\n`
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

/** Advanced SubStation Alpha's head: white DejaVu Sans with an outline, in the lower middle, as SubRip is drawn. */
const assHead = `[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
Style: Default,DejaVu Sans,16,&Hffffff,&H0,1,1,0,2,10,10,10

[Events]
Format: Start, End, Style, Text
`

/** Text that libass draws letter for letter: braces are escaped; a backslash has no escape, so a word joiner follows. */
function escapeAss(line: string): string {
  return line.replaceAll('\\', '\\\u2060').replaceAll(/[{}]/g, '\\$&')
}

/** Captions to be drawn on a picture, with their places: Advanced SubStation Alpha. Times in hundredths of a second. */
export function* renderAss(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  yield assHead
  for (const cue of cuesOrNotice(transcript, rules)) {
    const [start, end] = [cue.startMs, cue.endMs].map((ms) => captionTime(ms, '.', 1).slice(0, -1))
    const top = cue.edit?.top === true ? '{\\an8}' : ''
    yield `Dialogue: ${start},${end},Default,${top}${shownLines(cue).map(escapeAss).join('\\N')}\n`
  }
}
