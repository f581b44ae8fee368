import { useEffect, useRef, useState } from 'react'
import { type Cue, shownLines } from '../../../formats/captions/cues.ts'
import { useSignal } from '../../base/state/signal.ts'
import type { Playback } from '../player/playback.ts'
import type { Captions } from './captions.ts'

/** The recording's picture, black if it has none, with the current caption on it. */
export function CaptionPicture({ playback, captions }: { playback: Playback; captions: Captions }) {
  const host = useRef<HTMLDivElement>(null)
  const { hasPicture } = useSignal(playback.state)
  useEffect(() => {
    const { picture } = playback
    const home = picture.parentElement
    if (!hasPicture || home === null) return
    const move = (to: Element) => {
      // The browser pauses a media element when it is moved in the DOM.
      const wasPlaying = !playback.media.paused
      to.append(picture)
      if (wasPlaying) void playback.play()
    }
    if (host.current !== null) move(host.current)
    return () => move(home)
  }, [playback, hasPicture])
  return (
    <div className="relative mx-auto aspect-video h-full max-w-full overflow-hidden bg-[#000] [container-type:size]">
      <div ref={host} className="absolute inset-0" />
      <ShownCue playback={playback} captions={captions} />
    </div>
  )
}

function ShownCue({ playback, captions }: { playback: Playback; captions: Captions }) {
  const cue = useCueNow(playback, captions)
  if (cue === null) return null
  return (
    <p
      data-shown-caption
      className={`absolute inset-x-2 text-center text-[clamp(0.7rem,7cqh,1.25rem)] leading-snug whitespace-nowrap text-[#fff] ${cue.edit?.top === true ? 'top-3' : 'bottom-3'}`}
    >
      {shownLines(cue).map((line, at) => (
        <bdi key={at} className="mx-auto block w-fit bg-[#000c] px-1.5">
          {line}
        </bdi>
      ))}
    </p>
  )
}

/** The caption at the playback position; during playback, a timer runs until its next edge. */
function useCueNow(playback: Playback, captions: Captions): Cue | null {
  const { cues } = useSignal(captions.state)
  const [now, setNow] = useState<Cue | null>(null)
  useEffect(() => {
    let timer = 0
    const show = () => {
      window.clearTimeout(timer)
      const ms = playback.seconds * 1_000
      const at = captions.at(ms)
      const cue = cues[at]
      const isShown = cue !== undefined && ms >= cue.startMs && ms < cue.endMs
      setNow(isShown ? cue : null)
      const following = cue !== undefined && ms < cue.startMs ? cue : cues[at + 1]
      const next = isShown ? cue.endMs : following?.startMs
      const { playing, rate } = playback.state.get()
      if (playing && next !== undefined) timer = window.setTimeout(show, (next - ms) / rate + 5)
    }
    show()
    const stops = [playback.onTime(show), playback.state.subscribe(show)]
    return () => {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [playback, captions, cues])
  return now
}
