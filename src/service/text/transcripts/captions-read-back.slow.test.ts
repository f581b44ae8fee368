import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderAss, renderSrt } from '../../../formats/captions/caption-files.ts'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { buildCues, type Cue, shownLines } from '../../../formats/captions/cues.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { corpus } from '../../../formats/testing/corpus.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { cuesByFfprobe, cuesByTtconv, cuesByWebvttPy, hasPython, type ReadCue } from './testing/caption-readers.ts'

const formats = ['srt', 'vtt', 'sbv'] as const
type CaptionFormat = (typeof formats)[number]

const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
const noPdf = () => Promise.reject(new Error('Captions need no PDF.'))
const paths = new Map<string, { format: CaptionFormat; cues: Cue[] }>()
let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-captions-'))
  for (const [index, transcript] of [...corpus().values()].entries()) {
    for (const format of formats) {
      const path = join(directory, `${index}.${format}`)
      await writeFile(path, Buffer.concat([...(await renderFormat(transcript, format, { pdfKit: noPdf }))]))
      paths.set(path, { format, cues: [...buildCues(transcript)] })
    }
  }
})
afterAll(() => rm(directory, { recursive: true }))

/** Words that any reader must return; word joiners and ornaments for braces prevent parsing as markup. */
function wordsOf(text: string): string {
  return text
    .replaceAll('\u2060', '')
    .replaceAll('\u2774', '{')
    .replaceAll('\u2775', '}')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ')
}

function expected({ cues }: { cues: Cue[] }, format: CaptionFormat): ReadCue[] {
  if (cues.length === 0) return [{ startMs: 0, endMs: expect.any(Number), text: '[No speech]' }]
  return cues.map((cue) => ({
    startMs: cue.startMs,
    endMs: cue.endMs,
    // WebVTT puts the speaker into the cue's voice tag.
    text: wordsOf((format === 'vtt' ? cue.lines : shownLines(cue)).join(' ')),
  }))
}

const withWords = (cues: readonly ReadCue[]) => cues.map((cue) => ({ ...cue, text: wordsOf(cue.text) }))

it.each(['srt', 'vtt'] as const)('ffprobe reads every caption of the corpus from %s, at its time', async (format) => {
  for (const [path, made] of paths) {
    if (made.format !== format) continue
    const times = (cues: readonly ReadCue[]) => cues.map(({ startMs, endMs }) => [startMs, endMs])
    expect(times(await cuesByFfprobe(path)), path).toEqual(times(expected(made, format)))
  }
})

/** Bright pixels of a picture on which libass draws captions of these words. */
async function drawn(words: string, format: 'ass' | 'srt'): Promise<number> {
  const path = join(directory, `drawn.${format}`)
  const transcript = sampleTranscript([['Ann', words]])
  const text = format === 'ass' ? renderAss(transcript) : renderSrt(transcript)
  await writeFile(path, [...text].join(''))
  const filter = `subtitles=filename=${path}:fontsdir=${fonts}:force_style=FontName=DejaVu Sans`
  const picture = ['-f', 'lavfi', '-i', 'color=black:s=640x360:r=5:d=1', '-vf', filter, '-frames:v', '1']
  const output = ['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  return execFileSync('ffmpeg', ['-v', 'error', ...picture, ...output]).filter((value) => value > 180).length
}

it.each(['ass', 'srt'] as const)('libass draws every letter of %s that looks like code', async (format) => {
  for (const code of ['{laughs} loud', '{ laughs } loud', '{\\p1}m 0 0 l 900', '{ \\fs90}able {bodied} seamen']) {
    const plain = code.replaceAll('{', '[').replaceAll('}', ']')
    const share = (await drawn(code, format)) / (await drawn(plain, format))
    expect(Math.abs(share - 1), code).toBeLessThan(0.3)
  }
})

describe.skipIf(!hasPython('webvtt'))('a strict reader (needs webvtt-py, python3-webvtt)', () => {
  it.each(formats)('reads every caption of the corpus from %s, with its time and words', async (format) => {
    const wanted = [...paths].filter(([, made]) => made.format === format)
    const read = await cuesByWebvttPy(wanted.map(([path]) => path))
    expect(read.length).toBe(corpus().size)
    for (const [index, [path, made]] of wanted.entries()) {
      expect(withWords(read[index] ?? []), path).toEqual(expected(made, format))
    }
  })
})

describe.skipIf(!hasPython('ttconv'))('a converter of broadcasters (needs ttconv, python3-ttconv)', () => {
  /** Letters with accents, and what looks like markup. */
  const talk = sampleTranscript([
    ['Ann', 'Čapek & Dvořák <wrote> a façade of plays, señor, 50 % of them for $5.'],
    ['Bob', 'It costs less than “nothing” at the ŁØß – doesn’t it?'],
  ])
  const rules = { ...captionStyles.bbc, lineLength: 30 }

  it.each([
    ['ttml', 1],
    ['stl', 40],
  ] as const)('reads every caption of %s, with its time and words', async (format, unitMs) => {
    const path = join(directory, `talk.${format}`)
    await writeFile(path, Buffer.concat([...(await renderFormat(talk, format, { pdfKit: noPdf, captions: rules }))]))
    const [read = []] = await cuesByTtconv([path])
    const inUnits = (ms: number) => Math.round(ms / unitMs)
    const plain = (text: string) =>
      wordsOf(text.replaceAll(/<[/]?(?:b|i|u|font)\b[^>]*>/g, '')).replaceAll(/[–—―]/g, '-')
    expect(read.map(({ startMs, endMs, text }) => [inUnits(startMs), inUnits(endMs), plain(text)])).toEqual(
      [...buildCues(talk, rules)].map((cue) => [
        inUnits(cue.startMs),
        inUnits(cue.endMs),
        plain(shownLines(cue).join(' ')),
      ]),
    )
    expect(read.length).toBeGreaterThan(2)
  })
})
