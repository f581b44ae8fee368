import { queryOptions } from '@tanstack/react-query'
import { shots, smallPicture, videoInProgress } from '../../../contract/account/captions.ts'
import { accountUrl } from './addresses.ts'
import { ApiError, isWorthRetrying, readJson, request, type Session } from './client.ts'
import { dispositionName } from './disposition-name.ts'
import { files } from './files.ts'

export type WantedVideo = { id: string; captions: 'soft' | 'burnt'; signal: AbortSignal }

/** How much of a video is made, by its id, then loaded: 0 to 1. */
export type VideoProgress = { making: string | null; share: number }

const asksEveryMs = 2_000

/** @throws AbortError */
async function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const timer = setTimeout(end, asksEveryMs)
  signal.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
}

/** Asks until there is an answer: the video is made, whatever becomes of connections. @throws ApiError, AbortError */
async function askPatiently(ask: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || !isWorthRetrying(error)) throw error
      await pause(signal)
    }
  }
}

/**
 * The recording as a video with captions by the transcript's rules, and its name. The service makes it in the
 * background: connections may break, and the same call continues later.
 * @throws ApiError, AbortError
 */
export async function fetchCaptionedVideo(
  session: Session,
  { id, captions, signal }: WantedVideo,
  onProgress: (progress: VideoProgress) => void,
): Promise<{ content: Blob; name: string }> {
  const url = accountUrl(session.environment, `files/${encodeURIComponent(id)}/captioned-video`)
  const first = { method: 'POST', headers: { prefer: 'wait=1' }, signal }
  let response = await request(session, `${url}?captions=${captions}`, first)
  while (response.status === 202) {
    const { id: video, progress_percent } = await readJson(response, videoInProgress)
    onProgress({ making: video, share: progress_percent / 100 })
    await pause(signal)
    response = await askPatiently(() => request(session, `${url}/${video}`, { signal }), signal)
  }
  const etag = response.headers.get('etag') ?? ''
  const video = `${url}/${etag.replaceAll('"', '')}`
  const resume = (from: number) => {
    const headers = { range: `bytes=${from}-`, 'if-range': etag }
    return askPatiently(() => request(session, video, { headers, signal }), signal)
  }
  const content = await load(response, resume, (share) => onProgress({ making: null, share }), signal)
  return { content, name: dispositionName(response.headers.get('content-disposition'), 'Video') }
}

/** Reads a response's bytes, those after a broken connection by `resume`. @throws ApiError, AbortError */
async function load(
  first: Response,
  resume: (from: number) => Promise<Response>,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const whole = Number(first.headers.get('content-length'))
  const parts: Blob[] = []
  let bytes = 0
  for (let response = first; ; response = await resume(bytes)) {
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
    }
    if (bytes >= whole) return new Blob(parts)
    await pause(signal)
  }
}

/** Has the service stop making a video of a file. @throws ApiError */
export async function cancelCaptionedVideo(session: Session, id: string, video: string): Promise<void> {
  const path = `files/${encodeURIComponent(id)}/captioned-video/${encodeURIComponent(video)}`
  await request(session, accountUrl(session.environment, path), { method: 'DELETE' })
}

/**
 * The URL of a small picture of a video, once the service has made it; null if it makes none.
 * @param onPercent called with its progress until then
 * @throws ApiError, AbortError
 */
export async function fetchSmallPicture(
  session: Session,
  id: string,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<string | null> {
  const address = accountUrl(session.environment, `files/${encodeURIComponent(id)}/picture`)
  const ask = () => request(session, address, { method: 'POST', signal })
  try {
    for (;;) {
      const { progress_percent, url } = await readJson(await askPatiently(ask, signal), smallPicture)
      if (url !== null) return url
      onPercent(progress_percent)
      await pause(signal)
    }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null
    throw error
  }
}

/** When the shots of a video begin, in milliseconds; null while they are being found. */
export function shotsQuery(session: Session, id: string) {
  return queryOptions({
    queryKey: [...files.all(session), id, 'shots'] as const,
    queryFn: async () => {
      const address = accountUrl(session.environment, `files/${encodeURIComponent(id)}/shots`)
      return (await readJson(await request(session, address), shots)).shots_ms
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data === null && asksEveryMs,
    // They are only a help: a video without them, or another service, is shown as before.
    retry: false,
  })
}
