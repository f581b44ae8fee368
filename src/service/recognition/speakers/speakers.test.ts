import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { chooseSound } from '../../platform/media/choose-sound.ts'
import { runFfmpeg } from '../../platform/media/testing/run-ffmpeg.ts'
import type { Engine } from '../engine.ts'
import { asWav } from '../engines/http.ts'
import { cutPieces } from '../pieces/cut-pieces.ts'
import { joined, makeDialogue, readSamples, wronglyAttributed } from '../testing/made-dialogue.ts'
import { makeSound } from '../testing/made-speech.ts'
import { plainSentence, speak } from '../testing/speak.ts'
import { narrationId, needsClips, speechClips } from '../testing/speech-clips.ts'
import { assignSpeakers } from './assign-speakers.ts'
import { channelVoices } from './channel-voices.ts'
import { diarise } from './diarise.ts'
import { packVoices } from './packed-voices.ts'
import type { Stretch } from './stretches.ts'
import { VoiceListener } from './voice-listener.ts'
import type { PackedPiece } from './voice-worker.ts'

const never = new AbortController().signal

function word(text: string, start: number, end: number): StoredWord {
  return { word: text, start, end, duration: end - start, conf: 1 }
}

describe('words and voices', () => {
  const words = [word('one', 0, 0.5), word('two', 0.5, 1), word('three', 1.6, 2), word('four', 2, 2.5)]

  it('marks the last word before a change with turn and its confidence', () => {
    const voiced = assignSpeakers(words, [
      { startMs: 0, endMs: 1_000, speaker: 7, confidence: 0.4 },
      { startMs: 1_500, endMs: 2_500, speaker: 3, confidence: 0.3 },
    ])
    expect(voiced.map(({ speaker }) => speaker)).toEqual([7, 7, 3, 3])
    expect(voiced.map(({ turn }) => turn)).toEqual([undefined, true, undefined, undefined])
    expect(voiced[1]?.turn_conf).toBe(0.3)
  })

  it('snaps a change to a nearby pause', () => {
    const voiced = assignSpeakers(words, [
      { startMs: 0, endMs: 1_900, speaker: 0, confidence: 0.4 },
      { startMs: 1_900, endMs: 2_500, speaker: 1, confidence: 0.3 },
    ])
    expect(voiced.map(({ speaker }) => speaker)).toEqual([0, 0, 1, 1])
  })

  it('has no turns if there is one voice, or none is known', () => {
    expect(assignSpeakers(words, [])).toEqual(words)
    expect(assignSpeakers(words, [{ startMs: 0, endMs: 2_500, speaker: 0, confidence: 0.5 }])).toEqual(words)
  })

  it('keeps every word as it is, and never ends with a turn', () => {
    const span = fc.tuple(fc.nat(100), fc.nat(30)).map(([start, length]) => ({ start, end: start + length }))
    fc.assert(
      fc.property(fc.array(span), fc.array(fc.tuple(span, fc.nat(3))), (spans, voices) => {
        const given = spans.sort((a, b) => a.start - b.start).map(({ start, end }) => word('w', start / 10, end / 10))
        const stretches = voices
          .map(([{ start, end }, speaker]) => ({ startMs: start * 100, endMs: end * 100, speaker, confidence: 0.5 }))
          .sort((a, b) => a.startMs - b.startMs)
        const voiced = assignSpeakers(given, stretches)
        expect(voiced.map(({ start, end }) => [start, end])).toEqual(given.map(({ start, end }) => [start, end]))
        expect(voiced.at(-1)?.turn).toBeUndefined()
        for (const [index, each] of voiced.entries()) {
          if (index > 0) expect(each.speaker !== voiced[index - 1]?.speaker).toBe(voiced[index - 1]?.turn === true)
        }
      }),
    )
  })
})

describe('telling voices apart', () => {
  /** Generates phrases of three stretches, each phrase with one voice, scattered around the voice's center. */
  function stretchesOf(voices: readonly number[], apart: number): Stretch[] {
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647 - 0.5
    }
    return voices.flatMap((voice, phrase) =>
      [0, 1, 2].map((part) => ({
        startMs: phrase * 5_000 + part * 1_300,
        endMs: phrase * 5_000 + (part + 1) * 1_300,
        vector: Float32Array.from({ length: 20 }, (_, order) => (order === voice ? apart : 0) + 4 * random()),
      })),
    )
  }

  it('finds the actual or the given number', () => {
    const order = Array.from({ length: 18 }, (_, index) => index % 3)
    const told = diarise(stretchesOf(order, 12), 'cepstra', 'auto')
    expect(new Set(told.map(({ speaker }) => speaker)).size).toBe(3)
    for (const [index, { speaker, confidence }] of told.entries()) {
      expect(speaker).toBe(told[(index + 9) % told.length]?.speaker)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(0.5)
    }
    expect(new Set(diarise(stretchesOf(order, 12), 'cepstra', 1).map(({ speaker }) => speaker)).size).toBe(1)
  })

  it('prefers one voice if they are close', () => {
    const close = diarise(stretchesOf([0, 1, 0, 1, 0, 1], 2), 'cepstra', 'auto')
    expect(new Set(close.map(({ speaker }) => speaker)).size).toBe(1)
  })

  it.each([0, 1, 2, 3])('accepts as few as %i stretches', (count) => {
    const few = stretchesOf([0, 1], 12).slice(0, count)
    for (const told of ['auto', 1, 4] as const) expect(diarise(few, 'cepstra', told)).toHaveLength(count)
  })

  it('handles a day of talk in seconds', () => {
    const day = stretchesOf(
      Array.from({ length: 18_000 }, (_, index) => index % 2),
      12,
    )
    const begun = performance.now()
    expect(new Set(diarise(day, 'cepstra', 'auto').map(({ speaker }) => speaker)).size).toBe(2)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

describe('listening to a recording', () => {
  const engine = {} as Engine
  async function listen(pcm: Int16Array, count: number | 'auto') {
    const listener = new VoiceListener(engine)
    const heard: PackedPiece[] = []
    try {
      for await (const piece of cutPieces(
        (async function* () {
          yield pcm
        })(),
      ))
        heard.push({
          startMs: piece.startMs,
          voices: packVoices(await listener.listen(piece, never), piece.startMs),
        })
      return await listener.diarise(heard, count, never)
    } finally {
      listener.close()
    }
  }
  async function countVoices(pcm: Int16Array): Promise<number> {
    return new Set((await listen(pcm, 'auto')).map(({ speaker }) => speaker)).size
  }
  const speech = async (voice: string) =>
    await readSamples(await speak(`${plainSentence} `.repeat(4), 'voice.wav', voice))

  it('tells a woman and a man apart in a synthetic dialogue', async () => {
    const voices = [await speech('f3'), await speech('m3')]
    const { pcm, turns } = makeDialogue(voices, [0, 1, 0, 1, 0, 1, 0, 1], [4, 5, 3])
    const told = await listen(pcm, 'auto')
    expect(new Set(told.map(({ speaker }) => speaker)).size).toBe(2)
    expect(wronglyAttributed(turns, told)).toBeLessThan(0.1)
  })

  it.each(['f3', 'm3'])('finds one voice if %s speaks alone', async (voice) => {
    expect(await countVoices(await speech(voice))).toBe(1)
  })

  const clips = speechClips()
  describe.skipIf(clips.length === 0)(`of real people (${needsClips})`, () => {
    async function voiceOf(...ids: string[]): Promise<Int16Array> {
      const paths = clips.filter(({ id }) => ids.includes(id)).map(({ path }) => path)
      return joined(await Promise.all(paths.map(readSamples)))
    }

    it('tells a woman and a man apart', async () => {
      const voices = [await voiceOf('LJ001-0001', 'LJ001-0003'), await voiceOf(narrationId)]
      const { pcm, turns } = makeDialogue(voices, [0, 1, 0, 1, 0, 1, 0, 1], [4, 5, 3])
      const told = await listen(pcm, 'auto')
      expect(new Set(told.map(({ speaker }) => speaker)).size).toBe(2)
      expect(wronglyAttributed(turns, told)).toBeLessThan(0.1)
    })

    it.each([['LJ001-0001', 'LJ001-0003', 'LJ001-0005'], [narrationId], ['jfk'], ['austen-0870', 'austen-0880']])(
      'hears one voice in %s',
      async (...ids) => {
        expect(await countVoices(await voiceOf(...ids))).toBe(1)
      },
    )
  })
})

describe('voices by channel', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'parley-channels-'))
    const turn = (first: 'speech' | 'silence') =>
      makeSound(
        Array.from({ length: 6 }, (_, index) => ({
          kind: (index % 2 === 0) === (first === 'speech') ? 'speech' : 'silence',
          ms: 2_000,
        })),
      )
    writeFileSync(join(directory, 'left.wav'), asWav(turn('speech')))
    writeFileSync(join(directory, 'right.wav'), asWav(turn('silence')))
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  function stereo(left: string, right: string): string {
    const path = join(directory, `${left}-${right}.wav`)
    const inputs = [left, right].flatMap((name) => ['-i', join(directory, `${name}.wav`)])
    runFfmpeg(...inputs, '-filter_complex', '[0][1]join=inputs=2:channel_layout=stereo', path)
    return path
  }

  const voicesOf = async (path: string) => channelVoices(path, await chooseSound(path, null, never), never)

  it('are the speakers if each has its own channel', async () => {
    const told = await voicesOf(stereo('left', 'right'))
    expect(told?.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1, 0, 1])
    for (const [index, { startMs, endMs }] of (told ?? []).entries()) {
      expect(Math.abs(startMs - index * 2_000)).toBeLessThan(200)
      expect(Math.abs(endMs - (index + 1) * 2_000)).toBeLessThan(200)
    }
  })

  it('are not speakers if both carry the same, one is mute, or in mono', async () => {
    expect(await voicesOf(stereo('left', 'left'))).toBeNull()
    writeFileSync(join(directory, 'mute.wav'), asWav(new Int16Array(16_000 * 12)))
    expect(await voicesOf(stereo('left', 'mute'))).toBeNull()
    expect(await voicesOf(join(directory, 'left.wav'))).toBeNull()
  })
})
