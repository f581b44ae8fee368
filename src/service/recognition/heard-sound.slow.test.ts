import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileEntry, Playback } from '../../contract/account/file-pages.ts'
import type { WordRecord } from '../../contract/interface/words.ts'
import { runFfmpeg } from '../platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../testing/account-client.ts'
import { fileForm, startTestService, type TestService } from '../testing/test-service.ts'
import { comparableWords } from './measure/word-errors.ts'
import { plainSentence, speak } from './testing/speak.ts'

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
let speakers: string[]
let played: Playback['copy']

/** Orders a recording of ffmpeg's for some of its sound; the raw response. */
async function orderSound(key: string, name: string, sound: string | null, args: readonly string[]): Promise<Response> {
  const path = join(directory, name)
  runFfmpeg(...args, path)
  const headers = sound === null ? {} : { 'Order-Sound': sound }
  const body = fileForm(await readFile(path), { name })
  return await kit.fetch(key, 'files?transcript_type=automated', { method: 'POST', headers, body })
}

const wordsOf = (name: string, ...args: string[]) => wordsOfSound(null, name, ...args)

/** Orders a recording as a customer, returns the words of its transcript, and sets what its entry and player say. */
async function wordsOfSound(sound: string | null, name: string, ...args: string[]): Promise<WordRecord[]> {
  const { key } = await kit.account()
  const answer = await orderSound(key, name, sound, args)
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  await expect.poll(async () => (await kit.metadata(key, id)).progress_percent, { timeout: 60_000 }).toBe(100)
  const client = accountClient(kit.address, key)
  heard = (await client.read<FileEntry>('GET', `files/${id}`)).heard
  played = (await client.read<Playback>('POST', `files/${id}/playback`)).copy
  const text = await (await kit.fetch(key, `file/${id}`)).text()
  speakers = [...text.matchAll(/^(?:\d+:)?\d+:\d+ ([^:]+):/gm)].map(([, name = '']) => name)
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

it('hears the track that an order asks for, and refuses one that the recording lacks', async () => {
  expect(text(await wordsOfSound('2', 'asked.mkv', ...tone, '-i', spoken, ...both))).toContain('not an old')
  expect(heard).toEqual(guest)
  const { key } = await kit.account()
  const refused = await orderSound(key, 'asked.mkv', '3', [...tone, '-i', spoken, ...both])
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('has 2 sound tracks')])
})

/** The second of two voices begins when the first has ended. */
const answers = (graph: string) => ['-i', spoken, '-i', spoken, '-filter_complex', graph]

it('hears each track alone as a speaker that its title names, and players get the mix', async () => {
  const tracks = ['-map', '0', '-map', '[late]', '-metadata:s:a:0', 'title=Host', '-metadata:s:a:1', 'title=Guest']
  const words = await wordsOfSound('each', 'each.mkv', ...answers('[1]adelay=5000:all=1[late]'), ...tracks)
  expect(text(words).match(/not an old/g)).toHaveLength(2)
  expect([heard?.voices, speakers, played]).toEqual([['Host', 'Guest'], ['Host', 'Guest'], 'made'])
  expect(words[0]?.start).toBeLessThan(1)
  expect(words.at(-1)?.end).toBeGreaterThan(7)
  expect(words.at(-1)?.end).toBeLessThan(10)
})

it('hears each channel alone as a speaker', async () => {
  const joined = '[1]adelay=5000:all=1[late];[0]apad[first];[first][late]join=inputs=2'
  const words = await wordsOfSound('each', 'each.wav', ...answers(joined), '-t', '9')
  expect(text(words).match(/not an old/g)).toHaveLength(2)
  expect([heard?.voices, speakers]).toEqual([
    ['', ''],
    ['Speaker 1', 'Speaker 2'],
  ])
})
