import { useEffect, useRef } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import type { Playback } from './playback.ts'

/**
 * The recording's video picture if it has one: small and resizable, its height in `--picture-height`. Without one, the
 * media element stays outside React's root, which would otherwise handle the four events per second that playback emits.
 */
export function Picture({ playback }: { playback: Playback }) {
  const host = useRef<HTMLDivElement>(null)
  const { hasPicture } = useSignal(playback.state)
  useEffect(() => {
    const { media, picture } = playback
    // The browser pauses a media element when it is moved in the DOM.
    const wasPlaying = !media.paused
    picture.className = 'size-full bg-ink object-contain'
    picture.ariaLabel = 'Recording'
    media.hidden = !hasPicture || picture !== media
    if (media.hidden) document.body.append(media)
    if (hasPicture) host.current?.append(picture)
    if (wasPlaying) void playback.play()
    return () => {
      media.remove()
      picture.remove()
    }
  }, [playback, hasPicture])
  useEffect(() => {
    const { current: box } = host
    const observer = new ResizeObserver(() => {
      box?.parentElement?.style.setProperty('--picture-height', `${box.offsetHeight}px`)
    })
    if (box !== null) observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={host}
      hidden={!hasPicture}
      className="empty:hidden absolute right-6 bottom-4 z-10 aspect-video max-h-[60%] w-64 max-w-[80%] min-w-32 resize overflow-hidden rounded-md border border-line shadow-high [direction:rtl] phone:w-40"
    />
  )
}
