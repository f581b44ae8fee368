import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRecordedTimes } from './recorded-times.ts'
import { runFfmpeg } from './testing/run-ffmpeg.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-times-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const picture = ['-f', 'lavfi', '-i', 'color=size=32x32:rate=25:duration=1']
const sound = ['-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=1']

async function timesOf(name: string, ...args: string[]) {
  const path = join(directory, name)
  runFfmpeg(...args, path)
  return await readRecordedTimes(path)
}

it.each(['mp4', 'mov', 'mxf'])('reads the time code of a camera in %s, with its frames', async (extension) => {
  const codec = extension === 'mxf' ? ['-c:v', 'mpeg2video'] : []
  const times = await timesOf(`a.${extension}`, ...picture, ...sound, ...codec, '-timecode', '15:06:10:12')
  expect(times).toContainEqual({ source: 'time code', text: '15:06:10:12', seconds: 54_370.48 })
})

it('reads the samples since midnight of a field recorder', async () => {
  const since = String(48_000 * 54_370.5)
  expect(await timesOf('a.wav', ...sound, '-write_bext', '1', '-metadata', `time_reference=${since}`)).toEqual([
    { source: 'recorder', text: '', seconds: 54_370.5 },
  ])
})

it('reads when a file was made: its local time if it says so, else a moment', async () => {
  const made = (...metadata: string[]) =>
    timesOf('b.mov', ...sound, '-movflags', 'use_metadata_tags', ...metadata.flatMap((one) => ['-metadata', one]))
  const utc = 'creation_time=2026-11-25T14:06:10Z'
  const moment = { source: 'date', text: '2026-11-25T14:06:10.000Z', seconds: null }
  expect(await made(utc)).toEqual([moment])
  const local = 'com.apple.quicktime.creationdate=2026-11-25T15:06:10+0100'
  expect(await made(utc, local)).toEqual([{ ...moment, seconds: 54_370 }])
})

it('finds nothing in what has no times, or a clock that was never set', async () => {
  expect(await timesOf('c.wav', ...sound)).toEqual([])
  expect(await timesOf('c.mp4', ...sound, '-metadata', 'creation_time=1970-01-01T00:00:00Z')).toEqual([])
})
