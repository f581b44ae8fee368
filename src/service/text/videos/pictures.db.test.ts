import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Shots, shots } from '../../../contract/account/captions.ts'
import { removeRecordingJob } from '../../orders/retention/act-on-rules.ts'
import type { Config } from '../../platform/config.ts'
import { runFfmpeg } from '../../platform/media/testing/run-ffmpeg.ts'
import { storedPath } from '../../platform/media/testing/stored-path.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { makeSample, refusal } from '../corrections/testing/sample-to-correct.ts'
import { giveVideo } from './testing/give-video.ts'

const room = accountRoom()
let directory: string
let path: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
  path = join(directory, 'cuts.mp4')
  // Cuts at 3, 5 and 9.2 s; the first is within a slice, the second where one begins.
  const scenes = ['testsrc=d=3', 'color=red:d=2', 'testsrc2=d=4.2', 'smptebars=d=6']
  const inputs = scenes.flatMap((scene) => ['-f', 'lavfi', '-i', `${scene}:s=640x480:r=25`])
  const sound = ['-f', 'lavfi', '-i', 'sine=d=15.2']
  const filter = ['-filter_complex', 'concat=n=4', '-map', '4:a', '-c:v', 'libx264', '-c:a', 'aac']
  runFfmpeg(...inputs, ...sound, ...filter, path)
})
afterAll(() => rm(directory, { recursive: true }))

async function makeVideo(): Promise<string> {
  const { id } = await makeSample(room)
  await giveVideo(room, id, path, 'mp4')
  await room.service.platform.db.updateTable('files').set({ duration_ms: 15_200 }).where('id', '=', id).execute()
  return id
}

/** Runs `work` with other limits. */
async function withConfig(limits: Partial<Config>, work: () => Promise<void>): Promise<void> {
  const { config } = room.service.platform
  const before = { ...config }
  Object.assign(config, limits)
  await work().finally(() => Object.assign(config, before))
}

async function readShots(id: string): Promise<Shots['shots_ms']> {
  return shots.parse(await (await room.client.ask('GET', `files/${id}/shots`)).json()).shots_ms
}

test('the shots of a video are found once, wherever slices begin, and go with the recording', async () => {
  await withConfig({ drawnSliceMs: 5_000 }, async () => {
    const id = await makeVideo()
    expect(await readShots(id)).toBeNull()
    await expect.poll(() => readShots(id), { timeout: 30_000 }).toEqual([3_000, 5_000, 9_200])
    const { db, blobs } = room.service.platform
    const left = async (table: 'jobs' | 'captioned_videos') =>
      await db.selectFrom(table).select('id').where('file_id', '=', id).execute()
    await expect.poll(async () => [await left('captioned_videos'), await left('jobs')]).toEqual([[], []])
    const signal = new AbortController().signal
    await removeRecordingJob(room.service.platform).run({ file_id: id } as never, signal)
    expect(await blobs.size(id, 'shots')).toBeNull()
  })
})

test('sound has no shots, a video that is too long is refused, and a damaged one has none', async () => {
  const sound = await makeSample(room)
  expect(await refusal(await room.client.ask('GET', `files/${sound.id}/shots`))).toEqual([
    404,
    'This recording has no picture.',
  ])
  expect((await room.client.ask('POST', `files/${sound.id}/picture`)).status).toBe(409)
  const id = await makeVideo()
  await withConfig({ sandboxDrawMinutes: 0.1 }, async () => {
    const words = 'Shot changes are found in videos of up to 0.1 minutes in the sandbox.'
    expect(await refusal(await room.client.ask('GET', `files/${id}/shots`))).toEqual([422, words])
  })
  await truncate(storedPath(room.service.platform.blobs, id, 'media'), 3_000)
  await expect.poll(() => readShots(id), { timeout: 30_000 }).toEqual([])
  await room.client.ask('POST', `files/${id}/picture`)
  const words = 'The picture of this video cannot be read.'
  const asked = async () => await refusal(await room.client.ask('POST', `files/${id}/picture`))
  await expect.poll(asked, { timeout: 30_000 }).toEqual([422, words])
})

test('a small picture has 360 lines, no sound, all of its length, and a URL without a key', async () => {
  await withConfig({ drawnSliceMs: 5_000 }, async () => {
    const id = await makeVideo()
    const urlNow = async () =>
      ((await (await room.client.ask('POST', `files/${id}/picture`)).json()) as { url: string | null }).url
    expect(await urlNow()).toBeNull()
    await expect.poll(urlNow, { timeout: 30_000 }).not.toBeNull()
    const url = room.service.address + (await urlNow())
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    const small = join(directory, 'small.mp4')
    await writeFile(small, Buffer.from(await answer.arrayBuffer()))
    const show = ['-show_entries', 'stream=codec_name,width,height:format=duration', '-of', 'csv=p=0']
    const probed = execFileSync('ffprobe', ['-v', 'error', ...show, small], { encoding: 'utf8' })
    expect(probed).toMatch(/^h264,480,360\n15\.2\d*\n$/)
    const { account, service } = room
    await service.fetch(account.key, `file/${id}`, { method: 'DELETE' })
    expect((await fetch(url)).status).toBe(404)
  })
})
