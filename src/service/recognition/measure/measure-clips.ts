import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import { explainError, StartError } from '../../platform/start-error.ts'
import { comparableWords } from './word-errors.ts'

const run = promisify(execFile)

/** A recording whose words are known. `reference`: as `comparableWords` gives them. */
export type MeasureClip = { name: string; path: string; reference: readonly string[] }

/**
 * Recordings of a folder that have a text of the same name: `NAME.wav`, or another kind of sound, and `NAME.txt`.
 * @throws StartError if there is none, or one of the texts is empty
 */
export async function findClips(directory: string): Promise<MeasureClip[]> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new StartError(`${directory} cannot be read: ${explainError(cause)}.`, { cause })
  })
  const texts = new Set(names.filter((name) => name.endsWith('.txt')).map((name) => parse(name).name))
  const clips: MeasureClip[] = []
  for (const name of names.filter((one) => !one.endsWith('.txt') && texts.has(parse(one).name)).sort()) {
    const path = join(directory, name)
    if (!(await stat(path)).isFile()) continue
    const reference = comparableWords(await readFile(join(directory, `${parse(name).name}.txt`), 'utf8'))
    if (reference.length === 0) throw new StartError(`${parse(name).name}.txt has no words.`)
    clips.push({ name, path, reference })
  }
  if (clips.length > 0) return clips
  throw new StartError(
    `${directory} has no recording with its words beside it: NAME.wav, and NAME.txt with what is said in it.`,
  )
}

/** A few sentences for each of the voices that Debian's ffmpeg brings (flite). No apostrophes: they end an argument. */
const spoken = {
  slt: 'The ferry leaves the harbor at seven in the morning, and it carries letters, bread and a few passengers. Nobody on the island remembers a winter in which it did not come.',
  rms: 'We have looked at the figures for the last three months. The costs went down by a tenth, but the number of customers who asked for help has doubled since September.',
  awb: 'My grandmother kept a garden behind the house. Every evening she counted the apples on the old tree, and wrote the number into a small black book.',
  kal: 'Please tell me what happened after the meeting. Did you go back to the office, or did somebody drive you to the station that night?',
  kal16:
    'The second question is about the water. Most of it comes from a lake in the mountains, and reaches the city through a tunnel of forty miles.',
} as const

/**
 * Makes recordings with a voice of ffmpeg's, for whoever has none with a text.
 * @param directory where they are written
 * @throws StartError if this ffmpeg has no voices
 */
export async function makeClips(directory: string): Promise<MeasureClip[]> {
  const clips: MeasureClip[] = []
  for (const [voice, text] of Object.entries(spoken)) {
    const path = join(directory, `${voice}.wav`)
    const input = ['-f', 'lavfi', '-i', `flite=voice=${voice}:text='${text}'`]
    await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...input, '-ar', '16000', path]).catch(
      (cause: unknown) => {
        const words = 'This ffmpeg cannot speak (it lacks flite, which that of Debian and Ubuntu has).'
        throw new StartError(`${words} Name a folder of recordings with their words: model measure DIR.`, { cause })
      },
    )
    clips.push({ name: `${voice}.wav`, path, reference: comparableWords(text) })
  }
  return clips
}
