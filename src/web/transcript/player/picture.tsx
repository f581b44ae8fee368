import { useEffect, useRef } from 'react'
import { useSignal } from '../signal.ts'
import type { Playback } from './playback.ts'

/** The media element itself: in sight, small and resizable, where the recording has a picture; silent markup else. */
export function Picture({ playback }: { playback: Playback }) {
  const host = useRef<HTMLDivElement>(null)
  const { hasPicture } = useSignal(playback.state)
  useEffect(() => {
    host.current?.append(playback.media)
    playback.media.className = 'size-full bg-ink object-contain'
    playback.media.ariaLabel = 'The recording'
  }, [playback])
  return (
    <div
      ref={host}
      hidden={!hasPicture}
      className="absolute right-6 bottom-4 z-10 aspect-video max-h-[60%] w-64 max-w-[80%] min-w-32 resize overflow-hidden rounded-md border border-line shadow-high [direction:rtl] phone:w-40"
    />
  )
}
