import type { Playback } from './playback.ts'

export const skipSeconds = 5

/** Lets media keys, the lock screen and headsets control the player. Returns a function that disconnects them. */
export function connectMediaSession(playback: Playback, title: string): () => void {
  const session = navigator.mediaSession
  if (session === undefined) return () => {}
  session.metadata = new MediaMetadata({ title, artist: 'Parley' })
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => void playback.play()],
    ['pause', () => playback.pause()],
    ['seekbackward', ({ seekOffset }) => playback.skip(-(seekOffset ?? skipSeconds))],
    ['seekforward', ({ seekOffset }) => playback.skip(seekOffset ?? skipSeconds)],
    ['seekto', ({ seekTime }) => playback.seek(seekTime ?? 0)],
  ]
  for (const [action, handler] of handlers) session.setActionHandler(action, handler)
  return () => {
    session.metadata = null
    for (const [action] of handlers) session.setActionHandler(action, null)
  }
}
