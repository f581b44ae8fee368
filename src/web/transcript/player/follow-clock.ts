import type { Playback } from './playback.ts'

/** An animation that differs by more from the sound is corrected. Seconds. */
const toleranceSeconds = 0.04
/** Animations are checked after this long at the latest. Milliseconds. */
const recheckMs = 5_000

/**
 * Keeps animations, whose time is the recording's time, in step with the sound. The browser's compositor runs them, and
 * the main thread does nothing in between: reading an animation's time makes the browser update styles, so animations are
 * not touched while the sound is where it is expected to be. Returns a function that stops.
 */
export function followClock(playback: Playback, animations: readonly Animation[]): () => void {
  let setAtMs = 0
  let setSeconds = 0
  const synchronise = () => {
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
  const check = (seconds: number) => {
    const { playing, rate } = playback.state.get()
    const passedMs = performance.now() - setAtMs
    const isRight = Math.abs(setSeconds + (passedMs / 1_000) * rate - seconds) < toleranceSeconds
    if (!playing || !isRight || passedMs > recheckMs) synchronise()
  }
  for (const animation of animations) animation.pause()
  synchronise()
  const stops = [playback.onTime(check), playback.state.subscribe(synchronise)]
  return () => {
    for (const stop of stops) stop()
    for (const animation of animations) animation.cancel()
  }
}
