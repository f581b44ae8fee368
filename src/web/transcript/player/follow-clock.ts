import type { Playback } from './playback.ts'

/** An animation this far off the sound is set right. Milliseconds. */
const toleranceMs = 40

/**
 * Ties animations whose time is the recording's time to the sound. The browser's compositor then moves what they move,
 * and the main thread does nothing in between. Returns a function that stops.
 */
export function followClock(playback: Playback, animations: readonly Animation[]): () => void {
  const set = () => {
    const { playing, rate } = playback.state.get()
    const timeMs = playback.seconds * 1_000
    for (const animation of animations) {
      if (animation.playbackRate !== rate) animation.playbackRate = rate
      if (Math.abs(Number(animation.currentTime ?? 0) - timeMs) > toleranceMs || !playing)
        animation.currentTime = timeMs
      if (playing && animation.playState !== 'running') animation.play()
      if (!playing && animation.playState === 'running') animation.pause()
    }
  }
  for (const animation of animations) animation.pause()
  set()
  const stops = [playback.onTime(set), playback.state.subscribe(set)]
  return () => {
    for (const stop of stops) stop()
    for (const animation of animations) animation.cancel()
  }
}
