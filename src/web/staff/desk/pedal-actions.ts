import { skipSeconds } from '../../transcript/player/media-session.ts'
import type { Playback } from '../../transcript/player/playback.ts'

/** Which switches of a pedal are pressed. */
export type PedalState = { rewind: boolean; play: boolean; forward: boolean }

/** Each switch as a key, and its label: a staff member can give it another command. */
export const pedalSwitches = {
  PedalLeft: 'Left pedal',
  PedalMiddle: 'Middle pedal',
  PedalRight: 'Right pedal',
} as const

const switches = [
  ['rewind', 'PedalLeft'],
  ['play', 'PedalMiddle'],
  ['forward', 'PedalRight'],
] as const

/** @returns whether the page has used it */
function pressAsKey(key: keyof typeof pedalSwitches): boolean {
  const target = document.activeElement ?? document.body
  return !target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

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
  #pressed = this.#now
  readonly #used = new Set<keyof PedalState>()
  #timer = 0

  constructor(playback: Playback) {
    this.#playback = playback
  }

  /** @param plays `held`: while it is down; `pressed`: one press starts, the next stops, as on handheld devices */
  take(pressed: PedalState, plays: 'held' | 'pressed'): void {
    const before = this.#now
    const next = this.#withoutUsed(pressed)
    this.#now = next
    if (next.play !== before.play) this.#play(next.play, plays)
    const [by, was] = [readWindDirection(next), readWindDirection(before)]
    if (by !== was) this.#wind(by)
  }

  /** Leaves out switches that have been given another command, which is done once per press. */
  #withoutUsed(pressed: PedalState): PedalState {
    const next = { ...pressed }
    for (const [name, key] of switches) {
      if (!pressed[name]) this.#used.delete(name)
      else if (!this.#pressed[name] && pressAsKey(key)) this.#used.add(name)
      if (this.#used.has(name)) next[name] = false
    }
    this.#pressed = pressed
    return next
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
