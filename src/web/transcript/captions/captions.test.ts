import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { buildCues, shownLines } from '../../../formats/captions/cues.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import type { Desk } from '../desk/desk.ts'
import { transcriptOfTable } from '../downloads/transcript-of-table.ts'
import type { Corrections } from '../edit/corrections.ts'
import { ChunkBuilder } from '../model/chunk-builder.ts'
import { TranscriptText } from '../model/transcript-text.ts'
import { WordTable } from '../model/word-table.ts'
import type { WordsLoad } from '../model/words-load.ts'
import type { WordsMessage } from '../model/words-protocol.ts'
import { speedText } from './caption-text.ts'
import type { CaptionAnswer, CaptionRequest } from './caption-worker.ts'
import { Captions } from './captions.ts'

const { turns: _turns, speakers: _speakers, ...about } = sampleTranscript([])

/** Responds like the worker, without a thread; its first `failures` instances fail to load. */
class WorkerHere {
  static failures = 0
  onmessage: ((message: { data: CaptionAnswer }) => void) | null = null
  onerror: ((error: unknown) => void) | null = null
  #isBroken = WorkerHere.failures-- > 0

  postMessage(request: CaptionRequest): void {
    const { table, names, about, rules } = structuredClone(request)
    queueMicrotask(() => {
      if (this.#isBroken) return this.onerror?.(new Error('not loaded'))
      const cues = [...buildCues(transcriptOfTable(WordTable.of(table), names, about), rules)]
      this.onmessage?.({ data: { cues, warnings: [] } })
    })
  }
  terminate(): void {}
}

beforeEach(() => {
  WorkerHere.failures = 0
  vi.stubGlobal('Worker', WorkerHere)
})
afterEach(() => vi.unstubAllGlobals())

/** A text that arrives when the test says so, with captions opened before that. */
function openCaptions() {
  const text = new TranscriptText()
  let arrive: (message: WordsMessage) => void = () => undefined
  const load = { listen: (_: unknown, listener: typeof arrive) => (arrive = listener), stop: () => undefined }
  text.open(load as unknown as WordsLoad, specDefaultOptions)
  const playback = { seconds: 0, onTime: () => () => undefined }
  const desk = { text, playback } as unknown as Desk
  const captions = new Captions(desk, {} as Corrections, about, captionStyles.parley)
  captions.open()
  return { arrive: (message: WordsMessage) => arrive(message), captions }
}

function chunkOf(texts: string): WordsMessage {
  const builder = new ChunkBuilder()
  for (const [index, word] of texts.split(' ').entries()) {
    builder.add({ word, start: index, end: index + 0.9, conf: 1 })
  }
  return { kind: 'chunk', chunk: builder.flush() }
}

const shown = ({ state }: Captions) =>
  state
    .get()
    .cues.flatMap((cue) => shownLines(cue))
    .join(' ')
const settled = () => new Promise((resolve) => setTimeout(resolve))
const end: WordsMessage = { kind: 'end', as: 'whole', skipped: 0, fingerprint: 'a' }

test('captions opened before the text has arrived cover all of it', async () => {
  const { arrive, captions } = openCaptions()
  await settled()
  arrive(chunkOf('the old'))
  await settled()
  expect(captions.state.get().table, 'before all of it is here').toBeNull()
  arrive(chunkOf('harbour wall'))
  arrive(end)
  await settled()
  expect(shown(captions)).toBe('the old harbour wall')
})

test('captions are regenerated once the speakers are known', async () => {
  const { arrive, captions } = openCaptions()
  arrive(chunkOf('the old wall'))
  arrive(end)
  await settled()
  const before = captions.state.get().cues
  arrive({ kind: 'lines', damage: null, lines: [{ startSeconds: 0, speaker: 'Ann', text: 'the old wall' }] })
  await settled()
  expect(captions.state.get().cues).not.toBe(before)
})

test('a worker whose code could not be loaded is replaced when the text or the rules change', async () => {
  WorkerHere.failures = 1
  const { arrive, captions } = openCaptions()
  arrive(chunkOf('the old wall'))
  arrive(end)
  await settled()
  expect(captions.state.get().table).toBeNull()
  captions.rules.set({ ...captionStyles.parley })
  await settled()
  expect(shown(captions)).toBe('the old wall')
})

test('a speed that breaks the limit never looks like the limit', () => {
  expect([19.6, 20, 20.04, 20.4, 20.6].map((speed) => speedText(speed, 20))).toEqual(['20', '20', '20.1', '20.4', '21'])
})
