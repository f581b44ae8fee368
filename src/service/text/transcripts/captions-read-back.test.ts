import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCues, type Cue, shownLines } from '../../../formats/captions/cues.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { corpus } from '../../../formats/testing/corpus.ts'
import { cuesByFfprobe, cuesByWebvttPy, hasWebvttPy, type ReadCue } from './testing/caption-readers.ts'

const formats = ['srt', 'vtt', 'sbv'] as const
type CaptionFormat = (typeof formats)[number]

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

/** Words that any reader must return; a word joiner prevents parsing as markup. */
function wordsOf(text: string): string {
  return text.replaceAll('\u2060', '').split(/\s+/).filter(Boolean).join(' ')
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

describe.skipIf(!hasWebvttPy())('a strict reader (needs webvtt-py, python3-webvtt)', () => {
  it.each(formats)('reads every caption of the corpus from %s, with its time and words', async (format) => {
    const wanted = [...paths].filter(([, made]) => made.format === format)
    const read = await cuesByWebvttPy(wanted.map(([path]) => path))
    expect(read.length).toBe(corpus().size)
    for (const [index, [path, made]] of wanted.entries()) {
      expect(withWords(read[index] ?? []), path).toEqual(expected(made, format))
    }
  })
})
