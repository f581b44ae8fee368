import type { CaptionRules } from '../../contract/account/captions.ts'
import type { Transcript } from '../../text/transcript.ts'
import { titleLine } from '../template-header.ts'
import { cuesOrNotice } from './caption-files.ts'
import { frameMs } from './caption-rules.ts'
import { type Cue, shownLines } from './cues.ts'

/*
 * EBU-STL (EBU Tech 3264-E), as broadcasters exchange subtitles: a block of 1,024 bytes about the file, then blocks of
 * 128 bytes, one or more a subtitle. 25 frames a second, open subtitles, Latin letters of ISO 6937.
 */

const [aboutBytes, blockBytes, textBytes] = [1_024, 128, 112] as const
const framesPerSecond = 1_000 / frameMs
/** Codes within a text field: line break, and what fills its rest. */
const [newLine, unused] = [0x8a, 0x8f] as const
/** The vertical positions 1 to 23; a line of two takes two of them. */
const [topRow, bottomRow] = [2, 22] as const

/** ISO 6937: letters with codes of their own, in the order of the codes from each first one; \0: those of ASCII. */
const rows: readonly [first: number, letters: string][] = [
  [0xa0, '\u00a0¡¢£\0¥\0§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿'],
  [0xd0, '―¹®©™♪¬¦'],
  [0xe0, 'ΩÆÐªĦ'],
  [0xe6, 'ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ'],
]
const codes = new Map(
  rows.flatMap(([first, letters]) => [...letters].map((letter, at) => [letter, first + at] as const)),
)
codes.set('–', 0xd0).set('—', 0xd0)

/** Accents, which precede their letter: combining characters of Unicode, in the order of their codes from 0xc1. */
const accents = '\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308 \u030a\u0327 \u030b\u0328\u030c'
const firstAccent = 0xc1

/** A letter's bytes; `?` for one that ISO 6937 lacks. */
function encodeLetter(letter: string): number[] {
  const code = letter.codePointAt(0) ?? 0
  if (letter === '…') return [0x2e, 0x2e, 0x2e]
  const known = codes.get(letter)
  if (known !== undefined) return [known]
  if (code >= 0x20 && code < 0x7f) return [code]
  const [base = '', accent = '?', rest] = letter.normalize('NFD')
  const mark = accents.indexOf(accent)
  return mark >= 0 && rest === undefined && /^[a-z]$/i.test(base) ? [firstAccent + mark, base.charCodeAt(0)] : [0x3f]
}

function encodeText(text: string): number[] {
  return [...text.normalize('NFC').replaceAll('\u2060', '')].flatMap(encodeLetter)
}

const ascii = (text: string, bytes: number): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, bytes)
    .padEnd(bytes)

/** Hours, minutes, seconds and frames. */
function timeCode(ms: number): [number, number, number, number] {
  const frames = Math.round(ms / frameMs)
  const seconds = Math.floor(frames / framesPerSecond)
  return [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60, frames % framesPerSecond]
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** General subtitle information. */
function about(transcript: Transcript, cues: readonly Cue[], blocks: number): Uint8Array {
  const title = ascii(titleLine(transcript), 32)
  const day = transcript.created.slice(2, 10).replaceAll('-', '')
  const first = timeCode(cues[0]?.startMs ?? 0)
    .map((part) => digits(part, 2))
    .join('')
  const fields = [
    // Code page, frame rate, open subtitles, ISO 6937 for Latin, English.
    '850STL25.0100009',
    title,
    ' '.repeat(32 * 5 + 16),
    day,
    day,
    '00',
    digits(blocks, 5),
    digits(cues.length, 5),
    '001',
    '40',
    '23',
    '1',
    digits(0, 8),
    first,
    '11',
  ]
  return Uint8Array.from(fields.join('').padEnd(aboutBytes), (letter) => letter.charCodeAt(0))
}

/** Text and timing information: the blocks of one subtitle. */
function* textBlocks(cue: Cue, number: number): Generator<Uint8Array> {
  const lines = shownLines(cue)
  const text = lines.flatMap((line, at) => (at === 0 ? encodeText(line) : [newLine, ...encodeText(line)]))
  const row = cue.edit?.top === true ? topRow : bottomRow - 2 * (lines.length - 1)
  for (let from = 0; from < Math.max(1, text.length); from += textBytes) {
    const isLast = from + textBytes >= text.length
    const block = new Uint8Array(blockBytes).fill(unused)
    const head = [0, number & 255, number >> 8, isLast ? 255 : from / textBytes, 0]
    block.set([
      ...head,
      ...timeCode(cue.startMs),
      ...timeCode(cue.endMs),
      row,
      2,
      0,
      ...text.slice(from, from + textBytes),
    ])
    yield block
  }
}

/** EBU-STL. Times are rounded to frames of 1/25 s; letters beyond Latin become question marks. */
export function* renderStl(transcript: Transcript, rules?: CaptionRules): Generator<Uint8Array> {
  const cues = [...cuesOrNotice(transcript, rules)]
  const blocks = cues.map((cue, number) => [...textBlocks(cue, number)])
  yield about(transcript, cues, blocks.flat().length)
  for (const subtitle of blocks) yield* subtitle
}
