import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { openTranscript, test, untilCorrectable } from '../../kit/seeded-transcripts.ts'

/** The media elements of the page: what each shows and plays, and where it is. */
const elements = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].map((video) => ({
      isShown: video.checkVisibility() && video.videoWidth > 0,
      isHeard: !video.muted && Number.isFinite(video.duration),
      isPlaying: !video.paused,
      seconds: video.currentTime,
    })),
  )

test(
  'a video whose sound browsers cannot play is heard as a copy, and its picture follows',
  { tag: '@slow' },
  async ({ page, account, service }, testInfo) => {
    const path = testInfo.outputPath('camera.mp4')
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=20', '-c:v', 'libx264', '-g', '25']
    runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=20', ...picture, '-c:a', 'ac3', path)
    const form = new FormData()
    form.append('file', new Blob([await readFile(path)], { type: 'video/mp4' }), 'Camera.mp4')
    const query = 'files?transcript_type=automated'
    const made = await askApi(service.url, account.key, query, { method: 'POST', body: form })
    const { id } = (await made.json()) as { id: string }
    await openTranscript(page, account, id)
    await untilCorrectable(page)
    const play = page.getByRole('button', { name: 'Play', exact: true })
    // The copy is made while the page is open, and replaces what nobody has played.
    await expect.poll(() => elements(page)).toHaveLength(2)
    await play.click()
    const playing = async () => {
      const [shown, heard] = [true, false].map(
        (isShown) => async () => (await elements(page)).find((one) => one.isShown === isShown),
      )
      return [await shown?.(), await heard?.()]
    }
    await expect.poll(playing).toMatchObject([
      { isHeard: false, isPlaying: true },
      { isHeard: true, isPlaying: true },
    ])
    await page.getByRole('button', { name: /^Forward \d+ seconds$/ }).click()
    const apart = async () => {
      const [one, other] = await elements(page)
      return one && other && one.seconds > 4 ? Math.abs(one.seconds - other.seconds) : 9
    }
    await expect.poll(apart).toBeLessThan(0.3)
  },
)
