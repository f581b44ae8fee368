import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileEntry, Playback } from '../../contract/account/file-pages.ts'
import type { WordRecord } from '../../contract/interface/words.ts'
import { runFfmpeg } from '../platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { plainSentence, speak } from './testing/speak.ts'
import { comparableWords } from './testing/word-errors.ts'

let kit: TestService
let directory: string
let spoken: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-heard-'))
  spoken = await speak(plainSentence)
  kit = await startTestService({ recognizer: 'pocketsphinx' })
})
afterAll(async () => {
  await kit.close()
  rmSync(directory, { recursive: true })
})

const silence = ['-f', 'lavfi', '-t', '4', '-i', 'anullsrc=r=22050:cl=mono']
const tone = ['-f', 'lavfi', '-t', '4', '-i', 'sine=frequency=440']
const picture = ['-f', 'lavfi', '-t', '8', '-i', 'testsrc2=size=64x64:rate=25']

let heard: FileEntry['heard']
let played: Playback['copy']

/** Orders a recording as a customer, returns the words of its transcript, and sets what its entry and player say. */
async function wordsOf(name: string, ...args: string[]): Promise<WordRecord[]> {
  const path = join(directory, name)
  runFfmpeg(...args, path)
  const { key } = await kit.account()
  const { id } = await kit.order(key, await readFile(path), '?transcript_type=automated', { name })
  await expect.poll(async () => (await kit.metadata(key, id)).progress_percent, { timeout: 60_000 }).toBe(100)
  const client = accountClient(kit.address, key)
  heard = (await client.read<FileEntry>('GET', `files/${id}`)).heard
  played = (await client.read<Playback>('POST', `files/${id}/playback`)).copy
  return (await (await kit.fetch(key, `file/${id}.json`)).json()) as WordRecord[]
}

const text = (words: readonly WordRecord[]) => comparableWords(words.map(({ word }) => word).join(' ')).join(' ')

const both = ['-map', '0', '-map', '1', '-metadata:s:a:1', 'title=Guest', '-c:a', 'libopus']
const guest = { track: 2, tracks: 2, name: 'Guest', channel: null }

it('hears the first track that is not silent, and players get a copy of it', async () => {
  expect(text(await wordsOf('silent.mkv', ...silence, '-i', spoken, ...both))).toContain('not an old')
  expect([heard, played]).toEqual([guest, 'made'])
})

it('hears the track with the default flag', async () => {
  const flags = ['-disposition:a:0', '0', '-disposition:a:1', 'default']
  expect(text(await wordsOf('default.mkv', ...tone, '-i', spoken, ...both, ...flags))).toContain('not an old')
  expect(heard).toEqual(guest)
})

it('hears one channel of two that cancel each other in a mix', async () => {
  const inverted = ['-filter_complex', 'pan=stereo|c0=c0|c1=-1*c0']
  expect(text(await wordsOf('inverted.wav', '-i', spoken, ...inverted))).toContain('not an old')
  expect(heard).toMatchObject({ tracks: 1, channel: 'left' })
})

it('keeps the times of a transport stream whose sound begins late', async () => {
  const late = ['-itsoffset', '4', '-i', spoken, '-map', '0', '-map', '1', '-c:v', 'mpeg2video', '-c:a', 'mp2']
  const words = await wordsOf('late.ts', ...picture, ...late)
  expect(text(words)).toContain('not an old')
  expect(heard).toBeUndefined()
  expect(words.find(({ word }) => /^old/i.test(word))?.start).toBeGreaterThan(4.3)
})
