import { useEffect, useRef } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import type { Playback } from './playback.ts'

/**
 * The recording's picture where it has one: small, and resizable. Without a picture the element stays outside of React's
 * root, which would handle each of the four events a second that a playing recording emits.
 */
export function Picture({ playback }: { playback: Playback }) {
  const host = useRef<HTMLDivElement>(null)
  const { hasPicture } = useSignal(playback.state)
  useEffect(() => {
    const { media } = playback
    // The browser pauses a media element that is moved.
    const wasPlaying = !media.paused
    media.className = 'size-full bg-ink object-contain'
    media.ariaLabel = 'Recording'
    media.hidden = !hasPicture
    if (hasPicture) host.current?.append(media)
    else document.body.append(media)
    if (wasPlaying) void playback.play()
    return () => media.remove()
  }, [playback, hasPicture])
  return (
    <div
      ref={host}
      hidden={!hasPicture}
      className="empty:hidden absolute right-6 bottom-4 z-10 aspect-video max-h-[60%] w-64 max-w-[80%] min-w-32 resize overflow-hidden rounded-md border border-line shadow-high [direction:rtl] phone:w-40"
    />
  )
}
