import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { decode } from '../../media/decode.ts'
import type { Piece } from '../engine.ts'
import { cutPieces } from '../pieces/cut-pieces.ts'
import { narrationId, speechClips } from '../testing/speech-clips.ts'
import { comparableWords, countWordErrors } from '../testing/word-errors.ts'
import { PocketsphinxEngine } from './pocketsphinx.ts'
import { parseCtmLine } from './sphinx-process.ts'

const clips = speechClips()
const narration = clips.find(({ id }) => id === narrationId)
const austen = clips.find(({ id }) => id === 'austen-0880')
const never = new AbortController().signal

async function piecesOf(path: string): Promise<Piece[]> {
  return Readable.from(cutPieces(decode(path, { signal: never }).pcm, { maxPieceMs: 20_000 })).toArray()
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
  it.each(['<s>', '</s>', '<sil>', '[NOISE]', '++UM++'])('is nothing where it is the filler %s', (filler) => {
    expect(parseCtmLine(`u1 1 0.72 0.25 ${filler} 0.9`)).toBeNull()
  })
  it.each(['', 'he was not (u1 -5)', 'u1 1 x 0.25 on 0.9', 'u1 1 0.1 0.2 on'])(
    'is nothing where it is "%s"',
    (line) => {
      expect(parseCtmLine(line)).toBeNull()
    },
  )
})

describe.skipIf(narration === undefined)('pocketsphinx (needs the clips of ../shared)', () => {
  const engine = new PocketsphinxEngine({ modelDir: null, accurate: false })
  afterAll(() => engine.close())

  it('hears the narration with under 15 % of its words wrong, with times and confidences', async () => {
    expect(await engine.state()).toMatchObject({ ready: true })
    const words = []
    for (const piece of await piecesOf(narration?.path ?? '')) {
      const heard = await engine.recognise(piece, never)
      for (const { start, end, confidence } of heard) {
        expect(start).toBeLessThan(end)
        expect(end * 1_000).toBeLessThanOrEqual(piece.endMs - piece.startMs + 50)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }
      words.push(...heard.map(({ text }) => text))
    }
    const reference = comparableWords(narration?.ref ?? '')
    const errors = countWordErrors(reference, comparableWords(words.join(' ')))
    expect(errors / reference.length).toBeLessThan(0.15)
  })

  it('gives the same words whatever it heard before, and goes on after a stop', async () => {
    const [piece] = await piecesOf(austen?.path ?? '')
    const [longPiece] = await piecesOf(narration?.path ?? '')
    if (piece === undefined || longPiece === undefined) throw new Error('The clips hold no speech.')
    const first = await engine.recognise(piece, never)
    const stop = new AbortController()
    const stopped = engine.recognise(longPiece, stop.signal)
    stop.abort()
    await expect(stopped).rejects.toThrow(/abort/)
    expect(await engine.recognise(piece, never)).toEqual(first)
    expect(first.length).toBeGreaterThan(4)
  })

  it('leaves no process behind', async () => {
    await engine.close()
    await expect.poll(sphinxProcesses).toEqual([])
  })
})

describe('without pocketsphinx', () => {
  it.each([{ command: 'no-such-recogniser' }, { modelDirs: ['/nowhere'] }])(
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
