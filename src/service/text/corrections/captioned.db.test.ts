import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFfmpeg } from '../../platform/media/testing/run-ffmpeg.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { makeChange, makeSample, postChange, refusal, typed } from './testing/sample-to-correct.ts'

const room = accountRoom()
const seconds = 60
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-captioned-'))
})
afterAll(() => rm(directory, { recursive: true }))

const black = [
  '-f',
  'lavfi',
  '-i',
  `color=black:s=320x180:r=5:d=${seconds}`,
  '-f',
  'lavfi',
  '-i',
  `sine=d=${seconds}:r=16000`,
]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
const codecs: Record<string, readonly string[]> = {
  mp4: h264,
  mov: [...h264, '-f', 'mov'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  avi: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
}

/** A finished transcript whose recording is a black video of a format; its first words are corrected. */
async function videoOf(extension: string): Promise<string> {
  const path = join(directory, `black.${extension}`)
  runFfmpeg(...black, ...(codecs[extension] ?? []), path)
  const file = await makeSample(room)
  const { db, blobs } = room.service.platform
  await blobs.write(file.id, 'media', createReadStream(path))
  const kind = { media_extension: extension, media_kind: 'video' } as const
  await db.updateTable('files').set(kind).where('id', '=', file.id).execute()
  room.service.platform.changes.notify({ kind: 'file', accountId: room.account.id, fileId: file.id })
  await postChange(room, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 0, 'Corrected')]))
  return file.id
}

const ask = (id: string, query = '') => room.client.ask('POST', `files/${id}/captioned-video${query}`)

/** Saves the video of a response to a file. */
async function saved(answer: Response, name: string): Promise<string> {
  expect(answer.status, answer.ok ? '' : await answer.clone().text()).toBe(200)
  const path = join(directory, name)
  await writeFile(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

const probe = (path: string, ...args: string[]) =>
  execFileSync('ffprobe', ['-v', 'error', ...args, '-of', 'csv=p=0', path], { encoding: 'utf8' })
const tracksOf = (path: string) => probe(path, '-show_entries', 'stream=codec_type,codec_name').trim().split('\n')
const lengthOf = (path: string) => Number(probe(path, '-show_entries', 'format=duration'))

/** Texts and times in tenths of a second, as another program extracts them from the video. */
function captionsIn(path: string, format = 'srt'): string[] {
  const srt = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:s:0', '-f', format, 'pipe:1'], {
    encoding: 'utf8',
  })
  return cuesOf(srt)
}

function cuesOf(srt: string): string[] {
  return srt
    .replaceAll('\r', '')
    .trim()
    .split(/\n\n+/)
    .map((cue) =>
      cue
        .split('\n')
        .slice(1)
        .join('|')
        .replaceAll(/(\d)\d\d(?= |\|)/g, '$1'),
    )
}

/** Number of bright pixels in the lower third at a time. */
function brightPixels(path: string, at: number): number {
  const frame = [
    '-ss',
    String(at),
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    'crop=iw:ih/3:0:ih*2/3',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    'pipe:1',
  ]
  return execFileSync('ffmpeg', ['-v', 'error', ...frame]).filter((value) => value > 180).length
}

test('captions as a track of the original video: the same pictures and sound, its length, and the corrected text on time', async () => {
  const expected = {
    mp4: ['mp4', 'mov_text'],
    mov: ['mov', 'mov_text'],
    webm: ['webm', 'webvtt'],
    avi: ['mkv', 'subrip'],
  }
  for (const [extension, [made, codec]] of Object.entries(expected)) {
    const id = await videoOf(extension)
    const answer = await ask(id)
    expect(answer.headers.get('content-disposition')).toContain(` captioned.${made}"`)
    const path = await saved(answer, `soft.${made}`)
    const own = tracksOf(join(directory, `black.${extension}`))
    expect(tracksOf(path).toSorted(), extension).toEqual([...own, `${codec},subtitle`].toSorted())
    expect(Math.abs(lengthOf(path) - seconds)).toBeLessThan(1)
    const srt = await (await room.client.ask('GET', `files/${id}/corrected/srt`)).text()
    expect(captionsIn(path), extension).toEqual(cuesOf(srt))
    expect(srt).toContain('Corrected')
  }
  // No leftovers.
  await expect.poll(async () => await readdir(join(room.service.dataDir, 'blobs', 'staging'))).toEqual([])
})

test('captions drawn on the picture: bright letters below while one is shown, none in a pause, and no track', async () => {
  const id = await videoOf('mp4')
  const path = await saved(await ask(id, '?captions=burnt&style=bbc'), 'burnt.mp4')
  expect(tracksOf(path).toSorted()).toEqual(['aac,audio', 'h264,video'])
  expect(Math.abs(lengthOf(path) - seconds)).toBeLessThan(1)
  expect(brightPixels(path, 1)).toBeGreaterThan(50)
  expect(brightPixels(path, 4.2)).toBe(0)
  expect(brightPixels(join(directory, 'black.mp4'), 1)).toBe(0)
})

test('reports why captions cannot be added, without sending a file: audio only, a damaged video, a lost one', async () => {
  const sound = await makeSample(room)
  expect(await refusal(await ask(sound.id))).toEqual([
    409,
    'This recording has no picture. Captions can be put into videos only.',
  ])
  const id = await videoOf('mp4')
  const media = storedPath(room.service.platform.blobs, id, 'media')
  await truncate(media, 20_000)
  for (const kind of ['soft', 'burnt']) {
    const [status, words] = await refusal(await ask(id, `?captions=${kind}`))
    expect([status, words]).toEqual([422, expect.stringContaining('Captions cannot be put into this video')])
  }
  const webm = await videoOf('webm')
  const { blobs } = room.service.platform
  await truncate(storedPath(blobs, webm, 'media'), 40_000)
  expect((await ask(webm)).status).toBe(422)
  await rm(media)
  expect((await ask(id)).status).toBe(410)
  expect((await ask(id, '?captions=painted')).status).toBe(400)
  expect(await readdir(join(room.service.dataDir, 'blobs', 'staging'))).toEqual([])
})

test('one at a time per account, and none continues once its client is gone', async () => {
  const id = await videoOf('mp4')
  const gone = new AbortController()
  const address = `${room.service.address}/sandbox/account/files/${id}/captioned-video?captions=burnt`
  const first = fetch(address, {
    method: 'POST',
    headers: { authorization: authorization(room.account.key) },
    signal: gone.signal,
  })
  const staging = join(room.service.dataDir, 'blobs', 'staging')
  await expect.poll(async () => (await readdir(staging)).length).toBeGreaterThan(0)
  expect((await ask(id)).status).toBe(429)
  gone.abort()
  await expect(first).rejects.toThrow()
  await expect.poll(async () => await readdir(staging)).toEqual([])
  expect((await ask(id)).status).toBe(200)
})
