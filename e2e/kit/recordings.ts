import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../../src/service/platform/media/testing/run-ffmpeg.ts'

/** Creates a recording of a pure tone with ffmpeg, in the format of the file name's extension. @returns its path */
export async function tone(seconds: number, fileName = 'tone.wav', hertz = 330): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-tone-')), fileName)
  runFfmpeg('-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`, path)
  return path
}
