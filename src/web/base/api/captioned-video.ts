import { accountUrl } from './addresses.ts'
import { ApiError, request, type Session } from './client.ts'
import { dispositionName } from './disposition-name.ts'

export type WantedVideo = { id: string; captions: 'soft' | 'burnt'; signal: AbortSignal }

/**
 * The recording as a video with captions by the transcript's rules, and its name. The service renders all of it before
 * it responds.
 * @param onShare receives the fraction that has arrived, 0 to 1
 * @throws ApiError, AbortError
 */
export async function fetchCaptionedVideo(
  session: Session,
  { id, captions, signal }: WantedVideo,
  onShare: (share: number) => void,
): Promise<{ content: Blob; name: string }> {
  const path = `files/${encodeURIComponent(id)}/captioned-video?captions=${captions}`
  const response = await request(session, accountUrl(session.environment, path), { method: 'POST', signal })
  const whole = Number(response.headers.get('content-length'))
  const parts: Blob[] = []
  let bytes = 0
  try {
    for (const reader = response.body?.getReader(); ; ) {
      const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined }
      if (done) break
      // As blobs, which browsers store on disk.
      parts.push(new Blob([value]))
      bytes += value.byteLength
      onShare(bytes / whole)
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiError(0, 'The connection broke before the whole video was here.', { cause: error })
  }
  if (bytes !== whole) throw new ApiError(0, 'The connection broke before the whole video was here.')
  return {
    content: new Blob(parts),
    name: dispositionName(response.headers.get('content-disposition'), 'Video'),
  }
}
