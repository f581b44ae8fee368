import { skipSeconds } from '../../transcript/player/media-session.ts'
import type { Playback } from '../../transcript/player/playback.ts'

/** Which switches of a pedal are down. */
export type PedalState = { rewind: boolean; play: boolean; forward: boolean }

/** A switch that is held winds by a second this often: ten seconds in one. Milliseconds. */
const windsEveryMs = 100
/** So long a switch is a tap, which goes as far as a key does. Milliseconds. */
const tapMs = 400

/**
 * What the switches of a pedal do, as function keys do it (decision 90), but for what a foot can: sound plays for as long
 * as the foot is down.
 */
export class PedalActions {
  readonly #playback: Playback
  #now: PedalState = { rewind: false, play: false, forward: false }
  #timer = 0

  constructor(playback: Playback) {
    this.#playback = playback
  }

  /** @param plays `held`: while it is down; `pressed`: a press begins, the next one ends, as on a device for the hand */
  take(next: PedalState, plays: 'held' | 'pressed'): void {
    const before = this.#now
    this.#now = next
    if (next.play !== before.play) this.#play(next.play, plays)
    const [by, was] = [directionOf(next), directionOf(before)]
    if (by !== was) this.#wind(by)
  }

  /** A pedal that was pulled out holds nothing any more. */
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
    const goOn = () => {
      this.#playback.skip(by)
      this.#timer = window.setTimeout(goOn, windsEveryMs)
    }
    this.#timer = window.setTimeout(goOn, tapMs)
  }
}

function directionOf({ rewind, forward }: PedalState): -1 | 0 | 1 {
  if (rewind === forward) return 0
  return rewind ? -1 : 1
}
