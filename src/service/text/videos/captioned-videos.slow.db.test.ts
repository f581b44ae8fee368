import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../../platform/config.ts'
import { runFfmpeg } from '../../platform/media/testing/run-ffmpeg.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountClient } from '../../testing/account-client.ts'
import { type AccountRoom, accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { makeChange, makeSample, postChange, refusal, typed } from '../corrections/testing/sample-to-correct.ts'
import { giveVideo } from './testing/give-video.ts'

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
async function videoOf(extension: string, of: AccountRoom = room): Promise<string> {
  const path = join(directory, `black.${extension}`)
  runFfmpeg(...black, ...(codecs[extension] ?? []), path)
  const file = await makeSample(of)
  await giveVideo(of, file.id, path, extension)
  await postChange(of, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 0, 'Corrected')]))
  return file.id
}

const staging = () => join(room.service.dataDir, 'blobs', 'staging')
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
  await expect.poll(async () => await readdir(staging())).toEqual([])
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
  expect(await readdir(staging())).toEqual([])
})

/** Runs `work` with other limits. */
async function withConfig(limits: Partial<Config>, work: () => Promise<void>): Promise<void> {
  const { config } = room.service.platform
  const before = { ...config }
  Object.assign(config, limits)
  await work().finally(() => Object.assign(config, before))
}

/** Keeps asking for a video by the address of its 202 until it is made. */
async function untilMade(first: Response): Promise<Response> {
  const location = first.headers.get('location') ?? ''
  const get = () =>
    fetch(room.service.address + location, { headers: { authorization: authorization(room.account.key) } })
  await expect.poll(async () => (await get()).status, { timeout: 60_000 }).not.toBe(202)
  return await get()
}

test('drawn in slices: no picture is missing or there twice, and captions are on time in each', async () => {
  await withConfig({ drawnSliceMs: 20_000, waitsForVideoMs: 0 }, async () => {
    const id = await videoOf('webm')
    const first = await ask(id, '?captions=burnt')
    expect(first.status).toBe(202)
    expect(await first.json()).toEqual({ id: expect.any(String), progress_percent: 0 })
    const path = await saved(await untilMade(first), 'slices.mp4')
    const times = probe(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time').trim().split('\n').map(Number)
    const expected = Array.from({ length: seconds * 5 }, (_, index) => index / 5)
    expect(times.toSorted((one, other) => one - other).map((time) => Math.round(time * 5) / 5)).toEqual(expected)
    const srt = await (await room.client.ask('GET', `files/${id}/corrected/srt`)).text()
    const middles = [...srt.matchAll(/00:00:([\d,]+) --> 00:00:([\d,]+)/g)].map(([, from = '', to = '']) => {
      const [start, end] = [from, to].map((time) => Number(time.replace(',', '.')))
      return ((start ?? 0) + (end ?? 0)) / 2
    })
    for (const slice of [0, 20, 40]) {
      const middle = middles.find((at) => at >= slice && at < slice + 20) ?? 0
      expect(brightPixels(path, middle), `${middle} s`).toBeGreaterThan(50)
    }
    expect((await room.client.ask('POST', `files/${id}/captioned-video?captions=burnt`)).status).toBe(200)
  })
})

test('a cut connection loses nothing, and a canceled or deleted one leaves nothing', async () => {
  const id = await videoOf('mp4')
  const gone = new AbortController()
  const address = `${room.service.address}/sandbox/account/files/${id}/captioned-video?captions=burnt`
  const headers = { authorization: authorization(room.account.key) }
  const first = fetch(address, { method: 'POST', headers, signal: gone.signal })
  const { db, blobs } = room.service.platform
  const rows = db.selectFrom('captioned_videos').selectAll().where('file_id', '=', id)
  await expect.poll(async () => (await rows.execute()).length).toBe(1)
  gone.abort()
  await expect(first).rejects.toThrow()
  await expect.poll(async () => (await rows.executeTakeFirstOrThrow()).state, { timeout: 60_000 }).toBe('made')
  const video = await rows.executeTakeFirstOrThrow()
  const again = await fetch(`${address.split('?')[0]}/${video.id}`, { headers: { ...headers, range: 'bytes=1000-' } })
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([206, video.bytes - 1_000])
  expect((await room.client.ask('DELETE', `files/${id}/captioned-video/${video.id}`)).status).toBe(204)
  expect(await blobs.size(id, `video/${video.id}`)).toBeNull()
  expect((await room.client.ask('GET', `files/${id}/captioned-video/${video.id}`)).status).toBe(404)
  await withConfig({ drawnSliceMs: 5_000, waitsForVideoMs: 0 }, async () => {
    const { id: canceled } = (await (await ask(id, '?captions=burnt')).json()) as { id: string }
    await expect.poll(() => blobs.size(id, `slices/${canceled}/0`), { timeout: 30_000 }).not.toBeNull()
    expect((await room.client.ask('DELETE', `files/${id}/captioned-video/${canceled}`)).status).toBe(204)
    await expect.poll(() => readdir(staging())).toEqual([])
    await expect.poll(() => blobs.size(id, `slices/${canceled}/0`)).toBeNull()
    await ask(id, '?captions=burnt')
    await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
    await expect.poll(() => db.selectFrom('jobs').selectAll().where('file_id', '=', id).execute()).toEqual([])
    await expect.poll(() => readdir(staging())).toEqual([])
  })
})

/** Another account of the room, with a video. */
async function another(): Promise<{ room: AccountRoom; id: string }> {
  const account = await room.service.account()
  const other = { service: room.service, account, client: accountClient(room.service.address, account.key) }
  return { room: other, id: await videoOf('mp4', other) }
}

test('nobody waits behind the film of another account: tracks pass it, films take turns, and live ones come first', async () => {
  const { db } = room.service.platform
  const read = (id: string) =>
    db.selectFrom('captioned_videos').selectAll().where('file_id', '=', id).orderBy('id').execute()
  await withConfig({ drawnSliceMs: 5_000, waitsForVideoMs: 0 }, async () => {
    const long = await videoOf('mp4')
    const [sandbox, live] = [await another(), await another()]
    await ask(long, '?captions=burnt')
    const ahead = (await slicesOf(long)).length
    for (const kind of ['soft', 'burnt'])
      await sandbox.room.client.ask('POST', `files/${sandbox.id}/captioned-video?captions=${kind}`)
    await expect.poll(async () => (await read(sandbox.id))[0]?.state, { timeout: 20_000 }).toBe('made')
    expect((await read(long))[0]?.state).toBe('making')
    await expect.poll(async () => (await slicesOf(sandbox.id)).length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect((await slicesOf(long)).length - ahead).toBeLessThan((await slicesOf(sandbox.id)).length + 3)
    await live.room.client.ask('POST', `files/${live.id}/captioned-video?captions=burnt`)
    await db.updateTable('accounts').set({ environment: 'live' }).where('id', '=', live.room.account.id).execute()
    const before = (await slicesOf(long)).length
    await expect.poll(async () => (await read(live.id))[0]?.state, { timeout: 60_000 }).toBe('made')
    expect((await slicesOf(long)).length - before).toBeLessThan(3)
  })
})

/** The slices of a film that are drawn. */
async function slicesOf(id: string): Promise<string[]> {
  const parts = join(room.service.dataDir, 'blobs', 'files', id, 'slices')
  return (await readdir(parts, { recursive: true }).catch(() => [])).filter((name) => /\/\d+$/.test(name))
}

test('says what is too long to draw on, and how many videos are too many', async () => {
  const id = await videoOf('mp4')
  await withConfig({ sandboxDrawMinutes: 0.5 }, async () => {
    const words =
      'Captions can be drawn on videos of up to 0.5 minutes in the sandbox. Captions as a track can be added to longer ones.'
    expect(await refusal(await ask(id, '?captions=burnt'))).toEqual([422, words])
  })
  const { db } = room.service.platform
  const row = { file_id: id, account_id: room.account.id, kind: 'soft' as const, rules_json: '{}', created_at: 0 }
  const other = (index: number) => ({ ...row, id: `v${index}`, variant: String(index), state: 'making' as const })
  await db
    .insertInto('captioned_videos')
    .values(Array.from({ length: 10 }, (_, index) => other(index)))
    .execute()
  expect((await ask(id)).status).toBe(429)
  await db.updateTable('captioned_videos').set({ state: 'made' }).where('id', '=', 'v3').execute()
  expect((await ask(id)).status).toBe(200)
  expect(await db.selectFrom('captioned_videos').select('id').where('id', '=', 'v3').execute()).toEqual([])
})

test('is removed a day later, and with its recording', async () => {
  const id = await videoOf('mp4')
  expect((await ask(id)).status).toBe(200)
  const { db, blobs, clock } = room.service.platform
  const { id: video } = await db
    .selectFrom('captioned_videos')
    .selectAll()
    .where('file_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await blobs.size(id, `video/${video}`)).toBeGreaterThan(0)
  await db
    .updateTable('captioned_videos')
    .set({ done_at: clock() - 24 * 3_600_000 })
    .where('id', '=', video)
    .execute()
  await room.service.doChores()
  expect(await blobs.size(id, `video/${video}`)).toBeNull()
})
