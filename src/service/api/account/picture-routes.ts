import { json } from 'node:stream/consumers'
import { type Shots, shots, smallPicture } from '../../../contract/account/captions.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { requestVideo, takeFailed } from '../../text/videos/captioned-videos.ts'
import { fileRoute } from '../http/account-route.ts'
import { lost } from '../http/operation.ts'
import { grantPlaybackUrls } from '../playback/playback-routes.ts'

const refused = {
  410: lost,
  422: 'The video is damaged or too long.',
  429: 'Ten videos are being made for this account.',
} as const

/** Of `files/:id`, for the captions view: `picture`, for browsers that cannot show the video's own, and `shots`. */
export const pictureRoutes = [
  fileRoute(
    'post /files/{id}/picture',
    'A small picture of a video',
    {
      description:
        'For browsers that cannot show its own: H.264 of at most 360 lines, without sound, at a short-lived URL that needs no key. Made in the background: ask again until there is one. It is kept for a day.',
      200: smallPicture,
      409: 'The recording has no picture, or its transcript is not ready.',
      ...refused,
    },
    async ({ platform, caller, file }) => {
      const video = await requestVideo(platform, caller.account, file, { kind: 'picture', rules: null })
      await takeFailed(platform, video)
      if (video.state !== 'made') return { progress_percent: video.percent, url: null }
      const { urlOf } = await grantPlaybackUrls(platform, caller, file)
      return { progress_percent: 100, url: urlOf(`video/${video.id}`) }
    },
  ),
  fileRoute(
    'get /files/{id}/shots',
    'When the shots of a video begin',
    {
      description: 'Found in the background, once: ask again until they are there.',
      200: shots,
      404: 'The recording has no picture.',
      409: 'The transcript is not ready.',
      ...refused,
    },
    async ({ platform, caller, file }): Promise<Shots> => {
      const { blobs } = platform
      if (file.media_kind !== 'video') throw new ServiceError(404, 'This recording has no picture.')
      if ((await blobs.size(file.id, 'shots')) !== null) {
        return { progress_percent: 100, shots_ms: (await json(blobs.read(file.id, 'shots'))) as number[] }
      }
      const { percent } = await requestVideo(platform, caller.account, file, { kind: 'shots', rules: null })
      return { progress_percent: percent, shots_ms: null }
    },
  ),
]
