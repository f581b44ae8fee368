import { decode, firstTrack } from '../../../src/service/platform/media/decode.ts'
import type { Engine, HeardWord } from '../../../src/service/recognition/engine.ts'
import { PocketsphinxEngine } from '../../../src/service/recognition/engines/pocketsphinx.ts'
import { SherpaEngine } from '../../../src/service/recognition/engines/sherpa.ts'
import { comparableWords, countWordErrors } from '../../../src/service/recognition/measure/word-errors.ts'
import { findInFolder } from '../../../src/service/recognition/models/model-supply.ts'
import { cutPieces } from '../../../src/service/recognition/pieces/cut-pieces.ts'
import { narrationId, type SpeechClip, speechClips } from '../../../src/service/recognition/testing/speech-clips.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { memoryOfTree } from './process-memory.ts'
import { unlessShort } from './short.ts'

type Heard = { words: HeardWord[]; firstMs: number }

async function hear(engine: Engine, clip: SpeechClip): Promise<Heard> {
  const { signal } = new AbortController()
  const begun = performance.now()
  const heard: Heard = { words: [], firstMs: Number.NaN }
  const detect = async (samples: Int16Array) => (await engine.detectSpeech?.(samples, signal)) ?? null
  for await (const piece of cutPieces(decode(clip.path, firstTrack, { signal }).pcm, {
    maxPieceMs: engine.maxPieceMs,
    detect,
  })) {
    const start = piece.startMs / 1_000
    for (const word of await engine.recognize(piece, signal)) {
      heard.words.push({ ...word, start: start + word.start, end: start + word.end })
    }
    if (Number.isNaN(heard.firstMs)) heard.firstMs = performance.now() - begun
  }
  return heard
}

/** Milliseconds between the true and the recognized start of words, for correctly recognized words, in order. */
function startErrorsMs(clip: SpeechClip, heard: readonly HeardWord[]): number[] {
  const errors: number[] = []
  let from = 0
  for (const [text, start] of clip.words ?? []) {
    const at = heard.findIndex((word, index) => index >= from && word.text === text && Math.abs(word.start - start) < 1)
    if (at < 0) continue
    errors.push(Math.abs((heard[at]?.start ?? 0) - start) * 1_000)
    from = at + 1
  }
  return errors
}

async function benchEngine(name: string, engine: Engine, clips: readonly SpeechClip[]): Promise<Measurement[]> {
  const measured: Measurement[] = []
  let errors = 0
  let words = 0
  let highest = 0
  const firsts: number[] = []
  const timeErrors: number[] = []
  const look = () => {
    for (const { pid, megabytes } of memoryOfTree(process.pid))
      if (pid !== process.pid) highest = Math.max(highest, megabytes)
  }
  const timer = setInterval(look, 200)
  const begun = performance.now()
  for (const clip of clips) {
    const heard = await hear(engine, clip)
    const reference = comparableWords(clip.ref)
    const wrong = countWordErrors(reference, comparableWords(heard.words.map(({ text }) => text).join(' ')))
    const goal = clip.id === narrationId && name.startsWith('pocketsphinx') ? { goal: { atMost: 15 } } : {}
    measured.push({
      what: `${name}, ${clip.id}, words wrong`,
      value: (100 * wrong) / reference.length,
      unit: '%',
      ...goal,
    })
    errors += wrong
    words += reference.length
    firsts.push(heard.firstMs)
    timeErrors.push(...startErrorsMs(clip, heard.words))
  }
  const wallSeconds = (performance.now() - begun) / 1_000
  clearInterval(timer)
  await engine.close()
  const seconds = clips.reduce((sum, clip) => sum + clip.seconds, 0)
  return [
    ...measured,
    { what: `${name}, all clips, words wrong`, value: (100 * errors) / words, unit: '%' },
    { what: `${name}, word starts off by (median of ${timeErrors.length})`, value: median(timeErrors), unit: 'ms' },
    { what: `${name}, wall time per second of sound, one at a time`, value: wallSeconds / seconds, unit: 's' },
    { what: `${name}, first words after (median)`, value: median(firsts), unit: 'ms' },
    { what: `${name}, largest process`, value: highest, unit: 'MB', goal: { atMost: 500 } },
  ]
}

/** `npm run bench -- recognition [--model DIR]`: accuracy of each available engine on the shared clips. */
export const benchRecognition: Bench = async ({ model }) => {
  const clips = speechClips().slice(0, unlessShort(Number.POSITIVE_INFINITY, 1))
  if (clips.length === 0)
    throw new Error('The clips of ../shared/data/speech are not there (PARLEY_SHARED names their place).')
  const plain = new PocketsphinxEngine({ modelDir: null, accurate: false })
  const measured: Measurement[] = []
  if ((await plain.state()).ready) {
    measured.push(...(await benchEngine('pocketsphinx', plain, clips)))
    const accurate = new PocketsphinxEngine({ modelDir: null, accurate: true })
    measured.push(...(await benchEngine('pocketsphinx accurate', accurate, clips)))
  }
  if (model === undefined) return measured
  const files = await findInFolder(model)
  if (files === null) throw new Error('--model names no folder of a whole model.')
  return [...measured, ...(await benchEngine('sherpa', new SherpaEngine('model', files), clips))]
}
