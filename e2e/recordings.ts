import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Real clips with their reference texts, kept beside the project and never in it; null where they are missing. */
export const sharedSpeech = ((): string | null => {
  const folder = resolve(import.meta.dirname, '..', process.env.PARLEY_SHARED ?? '../shared', 'data/speech')
  return existsSync(join(folder, 'manifest.json')) ? folder : null
})()

export type Clip = { path: string; ref: string; seconds: number; words: [text: string, start: number, end: number][] }

/** One of the real clips by its id. @throws where the shared data is missing: look at `sharedSpeech` first */
export function clip(id: string): Clip {
  if (sharedSpeech === null) throw new Error('The shared speech clips are missing.')
  const manifest = JSON.parse(readFileSync(join(sharedSpeech, 'manifest.json'), 'utf8')) as ({
    id: string
    file: string
  } & Clip)[]
  const entry = manifest.find((candidate) => candidate.id === id)
  if (entry === undefined) throw new Error(`No clip ${id}.`)
  return { ...entry, words: entry.words ?? [], path: join(sharedSpeech, entry.file) }
}

/** Speech made by espeak-ng as a WAV file. @returns its path */
export async function speak(text: string, fileName = 'spoken.wav'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-speech-')), fileName)
  await run('espeak-ng', ['-v', 'en-us+f3', '-s', '130', '-w', path, text])
  return path
}

/** A recording of a plain tone, made by ffmpeg in the format that the file name's ending says. @returns its path */
export async function tone(seconds: number, fileName = 'tone.wav'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-tone-')), fileName)
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`, path])
  return path
}
