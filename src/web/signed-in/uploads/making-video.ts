import {
  cancelCaptionedVideo,
  fetchCaptionedVideo,
  type VideoProgress,
  type WantedVideo,
} from '../../base/api/captioned-video.ts'
import type { Session } from '../../base/api/client.ts'
import { Signal } from '../../base/state/signal.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { uploadsWanted } from './uploads-wanted.ts'

type MakingVideo = VideoProgress & { id: string; abort: AbortController }

/** The captioned video that this tab waits for, whatever page is open: one at a time. */
export const makingVideo = new Signal<MakingVideo | null>(null)

/** Where a reload finds which video this tab waited for. */
const storageKey = 'parley.making-video'

/**
 * Saves a recording with its captions once the service has made that video. One that is left is still made.
 * @param untilReady resolves once the service has the captions on screen
 */
export async function makeVideo(
  session: Session,
  { id, captions }: Omit<WantedVideo, 'signal'>,
  untilReady: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  const show = (progress: VideoProgress) => makingVideo.set({ ...progress, id, abort })
  show({ making: '', share: 0 })
  sessionStorage.setItem(storageKey, `${id} ${captions}`)
  uploadsWanted.set(true)
  try {
    await untilReady(signal)
    const { content, name } = await fetchCaptionedVideo(session, { id, captions, signal }, show)
    saveFile(content, name)
    showToast({ title: `Saved ${name}` })
  } catch (error) {
    if (!signal.aborted) showToast({ tone: 'bad', title: 'No video was made', detail: (error as Error).message })
  }
  makingVideo.set(null)
  // Later: the requests of a page that is being reloaded end with an error, but its timers do not run any more.
  setTimeout(() => {
    if (makingVideo.get() === null) sessionStorage.removeItem(storageKey)
  })
}

/** How the video of this file is captioned for which a page waited until it was reloaded; null if none did. */
export function takeAwaitedVideo(id: string): WantedVideo['captions'] | null {
  const [kept, captions] = sessionStorage.getItem(storageKey)?.split(' ') ?? []
  if (kept !== id || makingVideo.get() !== null) return null
  sessionStorage.removeItem(storageKey)
  return captions === 'soft' || captions === 'burnt' ? captions : null
}

/** Has the service stop, too. */
export function cancelVideo(session: Session, { id, making, abort }: MakingVideo): void {
  abort.abort()
  // If it fails, the video is made and kept for a day.
  if (making) cancelCaptionedVideo(session, id, making).catch(() => undefined)
}

/** `Making the video: 40%` */
export function videoWords({ making, share }: MakingVideo): string {
  const percent = `${Math.floor(share * 100)}%`
  return making === null ? `Loading the video: ${percent}` : `Making the video: ${percent}`
}
