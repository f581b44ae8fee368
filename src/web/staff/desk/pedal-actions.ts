import { skipSeconds } from '../../transcript/player/media-session.ts'
import type { Playback } from '../../transcript/player/playback.ts'

/** Which switches of a pedal are pressed. */
export type PedalState = { rewind: boolean; play: boolean; forward: boolean }

/** Interval at which a held switch winds by one second: ten seconds per second. Milliseconds. */
const windsEveryMs = 100
/** A press up to this long is a tap, which skips as far as a key does. Milliseconds. */
const tapMs = 400

/**
 * Handles a pedal's switches like the function keys (decision 90), except that sound plays only while the pedal is held
 * down.
 */
export class PedalActions {
  readonly #playback: Playback
  #now: PedalState = { rewind: false, play: false, forward: false }
  #timer = 0

  constructor(playback: Playback) {
    this.#playback = playback
  }

  /** @param plays `held`: while it is down; `pressed`: one press starts, the next stops, as on handheld devices */
  take(next: PedalState, plays: 'held' | 'pressed'): void {
    const before = this.#now
    this.#now = next
    if (next.play !== before.play) this.#play(next.play, plays)
    const [by, was] = [readWindDirection(next), readWindDirection(before)]
    if (by !== was) this.#wind(by)
  }

  /** Releases all switches, e.g. when a pedal is unplugged. */
  release(): void {
    this.take({ rewind: false, play: false, forward: false }, 'held')
  }

  #play(isDown: boolean, plays: 'held' | 'pressed'): void {
    if (plays === 'held') isDown ? void this.#playback.play() : this.#playback.pause()
    else if (isDown) this.#playback.toggle()
  }

  #wind(by: -1 | 0 | 1): void {
    window.clearTimeout(this.#timer)
    if (by === 0) return
    this.#playback.skip(by * skipSeconds)
    const repeat = () => {
      this.#playback.skip(by)
      this.#timer = window.setTimeout(repeat, windsEveryMs)
    }
    this.#timer = window.setTimeout(repeat, tapMs)
  }
}

function readWindDirection({ rewind, forward }: PedalState): -1 | 0 | 1 {
  if (rewind === forward) return 0
  return rewind ? -1 : 1
}
