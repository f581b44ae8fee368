import { Readable } from 'node:stream'
import type { StoredWord } from '../../text/build-transcript.ts'
import { finishRecognition, parseOptions } from '../orders/file/progress.ts'
import type { FileRow } from '../platform/db/schema.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobEnd } from '../platform/queue/worker.ts'
import { vocabularyWrite } from '../text/corrections/apply-vocabulary.ts'
import { donePieces } from '../text/transcripts/done-pieces.ts'
import { readVoiceNames, separateVoices } from '../text/transcripts/separate-voices.ts'
import { readStoredWords, storedWordsJson } from '../text/transcripts/stored-words.ts'
import { selectRecognition } from './recognition-row.ts'
import { assignSpeakers } from './speakers/assign-speakers.ts'
import type { VoicedStretch } from './speakers/diarise.ts'
import { VoiceListener } from './speakers/voice-listener.ts'
import type { PackedPiece } from './speakers/voice-worker.ts'

async function readVoices(
  { db }: Platform,
  file: FileRow,
  heard: PackedPiece[],
  signal: AbortSignal,
): Promise<VoicedStretch[]> {
  const byChannel = (await selectRecognition(db, file.id))?.voices_json
  if (byChannel) return JSON.parse(byChannel)
  const listener = new VoiceListener({})
  try {
    return await listener.diarise(heard, parseOptions(file).speaker_names.length || 'auto', signal)
  } finally {
    listener.close()
  }
}

/** Joins the words of all sections, identifies speakers, applies the vocabulary, and completes the order. */
export async function joinWords(platform: Platform, file: FileRow, signal: AbortSignal): Promise<JobEnd> {
  const { db, blobs } = platform
  const words: StoredWord[] = []
  const heard: PackedPiece[] = []
  for await (const { words_json, start_ms, voices } of donePieces(db, file.id, true)) {
    for (const word of readStoredWords(words_json)) words.push(word)
    if (voices) heard.push({ startMs: start_ms, voices })
  }
  const names = readVoiceNames(file)
  const spoken =
    names === null
      ? assignSpeakers(words, await readVoices(platform, file, heard, signal))
      : separateVoices(file, names, words)
  signal.throwIfAborted()
  await blobs.write(file.id, 'words.json', Readable.from(storedWordsJson(spoken)))
  // Before the audio of its parts is stored under the same name.
  await blobs.remove(file.id, 'sound')
  await finishRecognition(platform, file.id, await vocabularyWrite(platform, file))
  return {
    end: 'done',
    also: async (trx) => {
      await trx.deleteFrom('recognitions').where('file_id', '=', file.id).execute()
    },
  }
}
