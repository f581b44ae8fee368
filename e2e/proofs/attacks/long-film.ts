import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import type { AccountRoom } from '../../../src/service/testing/account-room.ts'
import type { TestService } from '../../../src/service/testing/test-service.ts'
import { giveVideo } from '../../../src/service/text/videos/testing/give-video.ts'
import { type Measurement, median } from '../bench/measurement.ts'
import { comesTrue, Tally, timed } from '../torture/rounds.ts'

const filmMinutes = 60
const tracks = 7

/** A transcript of that length in a new account, whose recording is the video at `path`. */
async function makeFilm(service: TestService, minutes: number, path: string): Promise<AccountRoom & { id: string }> {
  const account = await service.account()
  const room = { service, account, client: accountClient(service.address, account.key) }
  const sample = { seconds: minutes * 60, progress_percent: 100 }
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', sample)
  await giveVideo(room, id, path, 'mp4')
  return { ...room, id }
}

/** Time to make the video with captions as a track, in milliseconds. */
async function makeTrack({ client, service, id }: AccountRoom & { id: string }, made: Tally): Promise<number> {
  const took = await timed(async () => {
    const answer = await client.ask('POST', `files/${id}/captioned-video?captions=soft`)
    const { byteLength } = await answer.arrayBuffer()
    made.count(answer.status === 200 && byteLength > 100_000, `a track was answered ${answer.status}`)
  })
  const { id: video } = await service.platform.db
    .selectFrom('captioned_videos')
    .select('id')
    .where('file_id', '=', id)
    .executeTakeFirstOrThrow()
  await client.read('DELETE', `files/${id}/captioned-video/${video}`)
  return took
}

/** While captions are drawn on an hour of one account, another's track takes at most twice its time alone. */
export async function attackWithLongFilm(service: TestService): Promise<(Tally | Measurement)[]> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-long-film-'))
  const [made, drawing] = [new Tally('tracks beside a film'), new Tally('films still drawn after them')]
  try {
    const path = (minutes: number) => join(directory, `${minutes}.mp4`)
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=640x360:r=25:d=60', '-f', 'lavfi', '-i', 'sine=d=60']
    runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', path(1))
    for (const minutes of [10, filmMinutes])
      runFfmpeg('-stream_loop', String(minutes - 1), '-i', path(1), '-c', 'copy', path(minutes))
    const film = await makeFilm(service, filmMinutes, path(filmMinutes))
    const other = await makeFilm(service, 10, path(10))
    const measure = async () => {
      const timesMs: number[] = []
      for (let count = 0; count < tracks; count += 1) timesMs.push(await makeTrack(other, made))
      return median(timesMs)
    }
    const aloneMs = await measure()
    const asked = film.client.ask('POST', `files/${film.id}/captioned-video?captions=burnt`)
    const of = service.platform.db.selectFrom('captioned_videos').selectAll().where('file_id', '=', film.id)
    const isDrawing = async () => (await of.executeTakeFirst())?.state === 'making'
    await comesTrue(isDrawing, 30_000)
    const besideMs = await measure()
    drawing.count(await isDrawing(), 'the film was done before: nothing was measured')
    const { id } = await of.executeTakeFirstOrThrow()
    await film.client.read('DELETE', `files/${film.id}/captioned-video/${id}`)
    await (await asked).arrayBuffer()
    const ratio = { what: 'a track beside a film of an hour', value: besideMs / aloneMs, goal: { atMost: 2 } }
    return [
      { what: 'a track alone, median', value: aloneMs, unit: 'ms' },
      { ...ratio, unit: 'of alone' },
      made,
      drawing,
    ]
  } finally {
    await rm(directory, { recursive: true })
  }
}
