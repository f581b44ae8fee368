import burntFace from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url'
import { useEffect, useRef, useState } from 'react'
import { type Cue, shownLines } from '../../../formats/captions/cues.ts'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import type { Playback } from '../player/playback.ts'
import type { Captions } from './captions.ts'
import { useSmallPicture } from './use-small-picture.ts'

/** Loads the face of captions that are drawn on a video. */
function loadFace(): void {
  if ([...document.fonts].some(({ family }) => family === 'DejaVu Sans')) return
  const face = new FontFace('DejaVu Sans', `url(${burntFace})`)
  document.fonts.add(face)
  // Without it, another face shows the same words.
  face.load().catch(() => undefined)
}

type Props = { playback: Playback; captions: Captions; session: Session; id: string; isVideo: boolean }

/** The recording's picture, black if it has none, with the current caption on it. */
export function CaptionPicture({ playback, captions, session, id, isVideo }: Props) {
  const words = useSmallPicture(playback, session, id, isVideo)
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
  const aspect = hasPicture ? playback.picture.videoWidth / playback.picture.videoHeight : 16 / 9
  useEffect(loadFace, [])
  return (
    <div
      className="relative max-h-full max-w-full overflow-hidden bg-[#000] [container-type:size]"
      style={{ aspectRatio: aspect, width: `min(100%, ${aspect} * 100cqh)` }}
    >
      <div ref={host} className="absolute inset-0" />
      {words !== null && (
        <p role="status" className="absolute inset-x-4 top-4 text-center text-sm text-[#fff] tabular-nums">
          {words}
        </p>
      )}
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
      // As `renderAss` sets it: of 288 lines, 16 a line of text, 1 of outline, and 10 to the edge.
      className={`absolute inset-x-0 text-center font-['DejaVu_Sans',sans-serif] text-[4.77cqh] leading-[5.56cqh] whitespace-nowrap text-[#fff] [-webkit-text-stroke:0.69cqh_#000] [paint-order:stroke_fill] ${cue.edit?.top === true ? 'top-[3.47cqh]' : 'bottom-[3.47cqh]'}`}
    >
      {shownLines(cue).map((line, at) => (
        <bdi key={at} className="block">
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
