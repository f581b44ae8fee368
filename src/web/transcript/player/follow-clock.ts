import type { Playback } from './playback.ts'

/** An animation this far off the sound is set right. Seconds. */
const toleranceSeconds = 0.04
/** How long an animation is trusted to run beside the sound. Milliseconds. */
const trustMs = 5_000

/**
 * Ties animations whose time is the recording's time to the sound. The browser's compositor then moves what they move,
 * and the main thread does nothing in between: asking an animation for its time costs a look at the page's styles, so
 * they are left alone for as long as the sound is where it has to be. Returns a function that stops.
 */
export function followClock(playback: Playback, animations: readonly Animation[]): () => void {
  let setAtMs = 0
  let setSeconds = 0
  const set = () => {
    const { playing, rate } = playback.state.get()
    setAtMs = performance.now()
    setSeconds = playback.seconds
    const timeMs = setSeconds * 1_000
    for (const animation of animations) {
      if (animation.playbackRate !== rate) animation.playbackRate = rate
      const off = Math.abs(Number(animation.currentTime ?? 0) - timeMs)
      if (off > toleranceSeconds * 1_000 || !playing) animation.currentTime = timeMs
      if (playing && animation.playState !== 'running') animation.play()
      if (!playing && animation.playState === 'running') animation.pause()
    }
  }
  const look = (seconds: number) => {
    const { playing, rate } = playback.state.get()
    const passedMs = performance.now() - setAtMs
    const isRight = Math.abs(setSeconds + (passedMs / 1_000) * rate - seconds) < toleranceSeconds
    if (!playing || !isRight || passedMs > trustMs) set()
  }
  for (const animation of animations) animation.pause()
  set()
  const stops = [playback.onTime(look), playback.state.subscribe(set)]
  return () => {
    for (const stop of stops) stop()
    for (const animation of animations) animation.cancel()
  }
}
