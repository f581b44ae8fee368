import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A sentence that pocketsphinx recognizes almost fully in the default voice of `speak`; of most others, a third. */
export const plainSentence = 'He was not an old man, and she was not a young woman.'

/**
 * Synthesizes speech with espeak-ng, which the set-up installs, as a WAV file.
 * @param voice `f1` to `f5` are women, `m1` to `m7` men
 * @returns its path
 */
export async function speak(text: string, fileName = 'spoken.wav', voice = 'f3'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-speech-')), fileName)
  await run('espeak-ng', ['-v', `en-us+${voice}`, '-s', '130', '-w', path, text])
  return path
}
