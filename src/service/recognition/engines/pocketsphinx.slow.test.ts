import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { decode, firstTrack } from '../../platform/media/decode.ts'
import type { Engine, Piece } from '../engine.ts'
import { comparableWords, countWordErrors } from '../measure/word-errors.ts'
import { cutPieces } from '../pieces/cut-pieces.ts'
import { plainSentence, speak } from '../testing/speak.ts'
import { narrationId, needsClips, speechClips } from '../testing/speech-clips.ts'
import { PocketsphinxEngine } from './pocketsphinx.ts'
import { parseCtmLine } from './sphinx-process.ts'

const clips = speechClips()
const never = new AbortController().signal

async function piecesOf(path: string, maxPieceMs = 20_000): Promise<Piece[]> {
  return Readable.from(cutPieces(decode(path, firstTrack, { signal: never }).pcm, { maxPieceMs })).toArray()
}

function sphinxProcesses(): string[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'pocketsphinx'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('a line of CTM', () => {
  it('is a word with its times and confidence', () => {
    expect(parseCtmLine('u1 1 0.72 0.25 on 0.110')).toEqual({ text: 'on', start: 0.72, end: 0.98, confidence: 0.11 })
  })
  it('loses the mark of a second pronunciation', () => {
    expect(parseCtmLine('u1 1 0.72 0.25 was(2) 0.9')?.text).toBe('was')
  })
  it.each(['<s>', '</s>', '<sil>', '[NOISE]', '++UM++'])('ignores the filler %s', (filler) => {
    expect(parseCtmLine(`u1 1 0.72 0.25 ${filler} 0.9`)).toBeNull()
  })
  it.each(['', 'he was not (u1 -5)', 'u1 1 x 0.25 on 0.9', 'u1 1 0.1 0.2 on'])(
    'is nothing where it is "%s"',
    (line) => {
      expect(parseCtmLine(line)).toBeNull()
    },
  )
})

/** Recognizes the words of pieces, with times in seconds from the start of their recording. */
async function hear(engine: Engine, pieces: readonly Piece[]) {
  const words = []
  for (const piece of pieces) {
    const offset = piece.startMs / 1_000
    for (const { start, end, ...word } of await engine.recognize(piece, never))
      words.push({ ...word, start: offset + start, end: offset + end })
  }
  return words
}

function wordErrorRate(reference: string, heard: readonly { text: string }[]): number {
  const words = comparableWords(reference)
  return countWordErrors(words, comparableWords(heard.map(({ text }) => text).join(' '))) / words.length
}

describe('pocketsphinx', { timeout: 120_000 }, () => {
  const engine = new PocketsphinxEngine({ modelDir: null, accurate: false })
  afterAll(() => engine.close())

  it('recognizes most words of a synthetic voice, with times and confidences', async () => {
    expect(await engine.state()).toMatchObject({ ready: true })
    const path = await speak(plainSentence)
    const pieces = await piecesOf(path)
    const words = await hear(engine, pieces)
    expect(wordErrorRate(plainSentence, words)).toBeLessThan(0.25)
    for (const [index, { start, end, confidence }] of words.entries()) {
      expect(start).toBeLessThan(end)
      expect(start).toBeGreaterThanOrEqual((words[index - 1]?.end ?? 0) - 0.02)
      expect(end * 1_000).toBeLessThanOrEqual((pieces.at(-1)?.endMs ?? 0) + 50)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  it('gives the same words regardless of earlier pieces, and continues after an abort', async () => {
    const [piece] = await piecesOf(await speak('He was not an old man.'))
    const [longPiece] = await piecesOf(await speak(`${plainSentence} ${plainSentence}`))
    if (piece === undefined || longPiece === undefined) throw new Error('espeak-ng said nothing.')
    const first = await engine.recognize(piece, never)
    const stop = new AbortController()
    const stopped = engine.recognize(longPiece, stop.signal)
    stop.abort()
    await expect(stopped).rejects.toThrow(/abort/)
    expect(await engine.recognize(piece, never)).toEqual(first)
    expect(first.length).toBeGreaterThan(3)
  })

  describe.skipIf(clips.length === 0)(`with real people (${needsClips})`, () => {
    it('recognizes a narration with a word error rate under 15 %', async () => {
      const narration = clips.find(({ id }) => id === narrationId)
      const words = await hear(engine, await piecesOf(narration?.path ?? ''))
      expect(wordErrorRate(narration?.ref ?? '', words)).toBeLessThan(0.15)
    })

    it('says of most words within 100 ms when they were spoken', async () => {
      const clip = clips.find(({ words }) => words !== undefined)
      // The first of them are enough: a second of real speech takes two of processor time.
      const first = (await piecesOf(clip?.path ?? '', 10_000)).slice(0, 1)
      const spoken = (clip?.words ?? []).filter(([, , to]) => to * 1_000 < (first[0]?.endMs ?? 0))
      const heard = await hear(engine, first)
      const known = heard.filter(({ text }) => spoken.some(([word]) => word === text))
      const placed = known.filter(({ text, start, end }) =>
        spoken.some(([word, from, to]) => word === text && Math.abs(start - from) < 0.1 && Math.abs(end - to) < 0.1),
      )
      expect(known.length).toBeGreaterThan(spoken.length / 3)
      expect(placed.length / known.length).toBeGreaterThan(0.8)
    })
  })

  it('leaves no process behind', async () => {
    await engine.close()
    await expect.poll(sphinxProcesses).toEqual([])
  })
})

describe('without pocketsphinx', () => {
  it.each([{ command: 'no-such-recognizer' }, { modelDirs: ['/nowhere'] }])(
    'says what to install (%o)',
    async (missing) => {
      const engine = new PocketsphinxEngine({ modelDir: null, accurate: false, ...missing })
      expect(await engine.state()).toEqual({
        ready: false,
        reason: expect.stringContaining('apt-get install pocketsphinx'),
      })
    },
  )
})
