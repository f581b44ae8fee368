import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import type { FrameRun } from '../pieces/speech-frames.ts'
import { frameSamples } from '../pieces/speech-frames.ts'
import type { SherpaModel, SherpaReply, SherpaRequest, SherpaResult } from './sherpa-protocol.ts'

/*
 * Process of the native recognizer, started by `SherpaProcess` with the model as its argument: a bad model or a bug in
 * native code crashes only this process.
 */

type Stream = { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void; inputFinished(): void }
/** The subset of sherpa-onnx-node 1.13 in use; the package has no types. */
type Sherpa = {
  OfflineRecognizer: new (
    config: object,
  ) => { createStream(): Stream; decode(stream: Stream): void; getResult(stream: Stream): SherpaResult }
  Vad: new (
    config: object,
    bufferSeconds: number,
  ) => {
    acceptWaveform(samples: Float32Array): void
    isEmpty(): boolean
    front(external: boolean): { start: number; samples: Float32Array }
    pop(): void
    flush(): void
    reset(): void
  }
  SpeakerEmbeddingExtractor: new (
    config: object,
  ) => { createStream(): Stream; compute(stream: Stream, external: boolean): Float32Array }
}

const sampleRate = 16_000
const vadWindowSamples = 512

const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa
const model = JSON.parse(process.argv[2] ?? '') as SherpaModel
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const recognizer = new sherpa.OfflineRecognizer({
  featConfig: { sampleRate, featureDim: 80 },
  modelConfig: {
    transducer: { encoder: model.encoder, decoder: model.decoder, joiner: model.joiner },
    tokens: model.tokens,
    modelType: 'nemo_transducer',
    numThreads: model.threads,
    provider: 'cpu',
    debug: 0,
  },
  decodingMethod: 'greedy_search',
})

const vad =
  model.vad === null
    ? null
    : new sherpa.Vad(
        {
          sileroVad: {
            model: model.vad,
            threshold: 0.4,
            minSilenceDuration: 0.3,
            minSpeechDuration: 0.1,
            maxSpeechDuration: 60,
            windowSize: vadWindowSamples,
          },
          sampleRate,
          numThreads: 1,
          debug: 0,
        },
        60,
      )

const voices =
  model.speaker === null
    ? null
    : new sherpa.SpeakerEmbeddingExtractor({ model: model.speaker, numThreads: model.threads, debug: 0 })

function asFloats(pcm: Int16Array): Float32Array {
  // A loop: `Float32Array.from` would first build an array of half a million numbers.
  const floats = new Float32Array(pcm.length)
  for (let index = 0; index < pcm.length; index += 1) floats[index] = (pcm[index] ?? 0) / 32_768
  return floats
}

function words(pcm: Int16Array): SherpaResult {
  const stream = recognizer.createStream()
  stream.acceptWaveform({ samples: asFloats(pcm), sampleRate })
  recognizer.decode(stream)
  return recognizer.getResult(stream)
}

/** Detects runs of speech in frames; resets the detector each time, so that the same audio gives the same runs. */
function speech(pcm: Int16Array): FrameRun[] {
  if (vad === null) throw new Error('There is no VAD model.')
  vad.reset()
  const runs: FrameRun[] = []
  const samples = asFloats(pcm)
  const collect = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const segment = vad.front(false)
      const start = Math.floor(segment.start / frameSamples)
      runs.push({ start, end: start + Math.ceil(segment.samples.length / frameSamples) })
    }
  }
  for (let at = 0; at + vadWindowSamples <= samples.length; at += vadWindowSamples) {
    vad.acceptWaveform(samples.subarray(at, at + vadWindowSamples))
    collect()
  }
  vad.flush()
  collect()
  return runs
}

function voice(pcm: Int16Array): Float32Array {
  if (voices === null) throw new Error('There is no speaker model.')
  const stream = voices.createStream()
  stream.acceptWaveform({ samples: asFloats(pcm), sampleRate })
  stream.inputFinished()
  return voices.compute(stream, false)
}

function answer({ kind, pcm }: SherpaRequest): SherpaReply {
  try {
    if (kind === 'words') return { kind: 'words', result: words(pcm) }
    if (kind === 'speech') return { kind: 'speech', runs: speech(pcm) }
    return { kind: 'voice', embedding: voice(pcm) }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (request) => process.send?.(answer(request as SherpaRequest)))
process.on('disconnect', () => process.exit())
process.send?.({ kind: 'ready' } satisfies SherpaReply)
