import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Creates a recording of a pure tone with ffmpeg, in the format of the file name's extension. @returns its path */
export async function tone(seconds: number, fileName = 'tone.wav', hertz = 330): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-tone-')), fileName)
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`, path])
  return path
}
