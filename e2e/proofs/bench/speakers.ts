import { cutPieces } from '../../../src/service/recognition/pieces/cut-pieces.ts'
import { diarise } from '../../../src/service/recognition/speakers/diarise.ts'
import { type Stretch, voiceStretches } from '../../../src/service/recognition/speakers/stretches.ts'
import {
  joined,
  makeDialogue,
  readSamples,
  wronglyAttributed,
} from '../../../src/service/recognition/testing/made-dialogue.ts'
import { speechClips } from '../../../src/service/recognition/testing/speech-clips.ts'
import type { Bench, Measurement } from './measurement.ts'

/** Clips of one voice each. They use different microphones, so real conversations in one room are harder. */
const voices: Record<string, readonly string[]> = {
  'reading woman': ['LJ001-0001', 'LJ001-0003', 'LJ001-0005', 'LJ001-0010'],
  'reading man': ['austen-0870', 'austen-0880'],
  narrator: ['az-audio2'],
  president: ['jfk'],
  'fast talker': ['acoustic_corpus'],
}

/**
 * `npm run bench -- speakers`: dialogues assembled from the shared clips, voices distinguished by cepstra and pitch.
 */
export const benchSpeakers: Bench = async () => {
  const clips = speechClips()
  const sounds: Record<string, Int16Array> = {}
  for (const [name, ids] of Object.entries(voices)) {
    const paths = clips.filter(({ id }) => ids.includes(id)).map(({ path }) => path)
    sounds[name] = joined(await Promise.all(paths.map(readSamples)))
  }
  const names = Object.keys(voices)
  const casts = [
    ...names.map((name) => [name]),
    ...names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other])),
    names.slice(0, 3),
    names.slice(0, 4),
  ]
  const measured: Measurement[] = []
  for (const cast of casts) measured.push(...(await benchCast(cast, sounds)))
  return measured
}

async function benchCast(cast: readonly string[], sounds: Record<string, Int16Array>): Promise<Measurement[]> {
  const order = Array.from({ length: Math.max(12, cast.length * 5) }, (_, index) => index % cast.length)
  const { pcm, turns } = makeDialogue(
    cast.map((name) => sounds[name] ?? new Int16Array(0)),
    order,
    [4, 5, 2.5, 6],
  )
  const stretches: Stretch[] = []
  async function* whole() {
    yield pcm
  }
  for await (const piece of cutPieces(whole())) stretches.push(...voiceStretches(piece.pcm, piece.startMs))
  const found = diarise(stretches, 'cepstra', 'auto')
  const told = diarise(stretches, 'cepstra', cast.length)
  const about = cast.join(' + ')
  return [
    {
      what: `${about}: voices found of ${cast.length}`,
      value: new Set(found.map(({ speaker }) => speaker)).size,
      unit: '',
    },
    { what: `${about}: speech given to the wrong voice`, value: 100 * wronglyAttributed(turns, found), unit: '%' },
    { what: `${about}: the same with the number told`, value: 100 * wronglyAttributed(turns, told), unit: '%' },
  ]
}
