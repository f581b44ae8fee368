import { ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '../../base/ui/icon-button.tsx'

/** Zoom of the strip: pixels per second. */
const [leastZoom, usualZoom, mostZoom] = [20, 90, 600] as const
const zoomStep = 1.5

/** The zoom, by buttons and Ctrl-wheel. */
export function useZoom(strip: React.RefObject<HTMLElement | null>) {
  const [pixelsPerSecond, setZoom] = useState<number>(usualZoom)
  const zoom = (by: number) => setZoom((now) => Math.min(mostZoom, Math.max(leastZoom, now * by)))
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    zoom(event.deltaY < 0 ? zoomStep : 1 / zoomStep)
  })
  useEffect(() => {
    const element = strip.current
    // React's own listener is passive: the page would zoom, too.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [strip])
  return { pixelsPerSecond, zoom }
}

/** Buttons in a corner of the strip. */
export function ZoomButtons({ zoom }: { zoom: (by: number) => void }) {
  return (
    <div className="absolute top-0.5 right-1 flex rounded-md bg-surface phone:hidden">
      <IconButton label="Zoom out" onClick={() => zoom(1 / zoomStep)} className="size-6!">
        <ZoomOut aria-hidden />
      </IconButton>
      <IconButton label="Zoom in" onClick={() => zoom(zoomStep)} className="size-6!">
        <ZoomIn aria-hidden />
      </IconButton>
    </div>
  )
}
