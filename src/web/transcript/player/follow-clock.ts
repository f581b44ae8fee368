import type { Playback } from './playback.ts'

/** Drift from the sound above which an animation is corrected. Seconds. */
const toleranceSeconds = 0.04
/** Maximum interval between drift checks. Milliseconds. */
const recheckMs = 5_000

/**
 * Keeps animations, whose timeline is the recording's, in sync with the sound. The compositor runs them without the
 * main thread: reading an animation's time forces a style update, so animations are not touched while the sound is
 * where it is expected to be. Returns a function that stops.
 * @param fromSeconds the animations' time when the recording begins
 */
export function followClock(playback: Playback, animations: readonly Animation[], fromSeconds = 0): () => void {
  let setAtMs = 0
  let setSeconds = 0
  const synchronize = () => {
    const { playing, rate } = playback.state.get()
    setAtMs = performance.now()
    setSeconds = playback.seconds
    const timeMs = (fromSeconds + setSeconds) * 1_000
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
    if (!playing || !isRight || passedMs > recheckMs) synchronize()
  }
  for (const animation of animations) animation.pause()
  synchronize()
  const stops = [playback.onTime(check), playback.state.subscribe(synchronize)]
  return () => {
    for (const stop of stops) stop()
    for (const animation of animations) animation.cancel()
  }
}
