import { Signal } from '../../base/state/signal.ts'

export type PlaybackState = {
  /** `none`: there is no sound (yet); `failed`: it cannot be played */
  status: 'none' | 'loading' | 'ready' | 'failed'
  playing: boolean
  rate: number
  /** 0 to 1 */
  volume: number
  durationSeconds: number
  hasPicture: boolean
  /** it is known that there is no picture that this browser can show */
  lacksPicture: boolean
  /** source of the sound: the service's recording or a file attached on this device */
  source: 'service' | 'attached' | null
}

const nothing: PlaybackState = {
  status: 'none',
  playing: false,
  rate: 1,
  volume: 1,
  durationSeconds: 0,
  hasPicture: false,
  lacksPicture: false,
  source: null,
}

/** What the player needs from its page. */
export type PlaybackPorts = {
  /** the next time after the given one at which to call listeners; both in seconds */
  nextChange: (seconds: number) => number
  /** called once when the service's recording fails; returns a fresh URL or null */
  renew: () => Promise<string | null>
  /** how far pausing by the user rewinds */
  jumpBackSeconds: () => number
}

/** Time range that is played in a loop, in seconds. */
export type Loop = { from: number; to: number }

/** Timers fire this long after a word's start, as playback may lag slightly behind them. Milliseconds. */
const marginMs = 12

/** In silence, listeners are called at this interval, to keep animations in sync with the sound. */
const maxTickSeconds = 2

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

/**
 * The player, outside React. While playing, it calls its listeners when the next word begins, or at an interval if
 * there is none; nothing runs per frame or per second.
 */
export class Playback {
  readonly media: HTMLVideoElement
  readonly state = new Signal<PlaybackState>(nothing)
  readonly #ports: PlaybackPorts
  readonly #listeners = new Set<(seconds: number) => void>()
  #timer = 0
  #loop: Loop | null = null
  #stopAt = Number.POSITIVE_INFINITY
  #startsAt: number | null = null
  #objectUrl: string | null = null
  #picture: HTMLVideoElement | null = null
  #awaitsPicture = false
  #renewed = false

  constructor(ports: PlaybackPorts) {
    this.#ports = ports
    // A video element also plays audio-only recordings.
    this.media = document.createElement('video')
    this.media.preload = 'metadata'
    this.media.playsInline = true
    this.media.preservesPitch = true
    const on = (type: string, listener: () => void) => this.media.addEventListener(type, listener)
    on('loadedmetadata', () => this.#loaded())
    on('durationchange', () => this.#update({ durationSeconds: this.media.duration }))
    on('play', () => this.#playing(true))
    on('pause', () => this.#playing(false))
    on('ended', () => this.#playing(false))
    on('seeked', () => this.#tick())
    on('ratechange', () => this.#rateChanged())
    on('volumechange', () => this.#update({ volume: this.media.volume }))
    on('error', () => void this.#failed())
  }

  /** The element that shows the picture: that of the sound, unless the sound is a listening copy of a video. */
  get picture(): HTMLVideoElement {
    return this.#picture ?? this.media
  }

  #loaded(): void {
    const { duration } = this.media
    const hasPicture = this.picture.videoWidth > 0
    this.#update({ status: 'ready', durationSeconds: duration, hasPicture })
    if (!this.#awaitsPicture) this.#update({ lacksPicture: !hasPicture })
    if (this.#startsAt !== null) this.playFrom(this.#startsAt)
    this.#startsAt = null
  }

  close(): void {
    window.clearTimeout(this.#timer)
    this.media.pause()
    this.media.removeAttribute('src')
    this.media.load()
    this.#picture?.removeAttribute('src')
    this.#update({ status: 'none', playing: false, source: null })
    if (this.#objectUrl !== null) URL.revokeObjectURL(this.#objectUrl)
  }

  #update(change: Partial<PlaybackState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }

  /**
   * Plays a recording of the service from a short-lived URL.
   * @param pictureUrl of the video whose picture to show, if the other is a listening copy of it
   */
  openUrl(url: string, pictureUrl: string | null = null): void {
    this.#open(url, 'service')
    if (pictureUrl !== null) void this.showPicture(pictureUrl)
  }

  /** Shows the picture of another video, which follows the sound. */
  async showPicture(pictureUrl: string): Promise<void> {
    const url = this.media.getAttribute('src')
    this.#awaitsPicture = true
    const { followSound } = await import('./follow-sound.ts')
    if (this.media.getAttribute('src') !== url) return
    const picture = followSound(this.media, pictureUrl)
    const show = (shown: HTMLVideoElement | null) => {
      this.#awaitsPicture = false
      this.#picture = shown
      const hasPicture = this.picture.videoWidth > 0
      this.#update({ hasPicture, lacksPicture: !hasPicture })
    }
    picture.addEventListener('loadedmetadata', () => show(picture.videoWidth > 0 ? picture : null))
    // It expires with its URL, or is in a format without a picture here.
    picture.addEventListener('error', () => show(null))
  }

  /** Plays a file on this device. */
  openFile(file: Blob): void {
    const url = URL.createObjectURL(file)
    this.#open(url, 'attached')
    if (this.#objectUrl !== null) URL.revokeObjectURL(this.#objectUrl)
    this.#objectUrl = url
  }

  #open(url: string, source: 'service' | 'attached'): void {
    const { rate } = this.state.get()
    if (source === 'attached') this.#picture = null
    this.#awaitsPicture = false
    this.#update({ status: 'loading', source, lacksPicture: false })
    this.media.src = url
    this.media.playbackRate = rate
    this.media.defaultPlaybackRate = rate
  }

  /** URLs expire: requests a new one, once, and resumes where playback stopped. */
  async #failed(): Promise<void> {
    if (!this.media.hasAttribute('src')) return
    const { source, playing } = this.state.get()
    const seconds = this.media.currentTime
    if (source === 'service' && !this.#renewed && seconds > 0) {
      this.#renewed = true
      const url = await this.#ports.renew()
      if (url !== null) {
        this.#open(url, 'service')
        this.media.currentTime = seconds
        if (playing) await this.play()
        return
      }
    }
    this.#update({ status: 'failed', playing: false, lacksPicture: true })
  }

  #playing(playing: boolean): void {
    this.#update({ playing })
    this.#renewed &&= !playing
    this.#tick()
  }

  /** Reschedules the timer for the next word, which was set for the old speed. */
  #rateChanged(): void {
    this.#update({ rate: this.media.playbackRate })
    this.#tick()
  }

  get seconds(): number {
    return this.media.currentTime
  }

  /** Calls back with the time in seconds, during playback and after each seek. Returns a function that stops. */
  onTime(listener: (seconds: number) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly #tick = () => {
    window.clearTimeout(this.#timer)
    const seconds = this.media.currentTime
    if (this.#loop !== null && seconds >= this.#loop.to) this.media.currentTime = this.#loop.from
    if (seconds >= this.#stopAt) {
      this.#stopAt = Number.POSITIVE_INFINITY
      this.media.pause()
    }
    for (const listener of this.#listeners) listener(seconds)
    if (this.media.paused) return
    const next = Math.min(
      this.#ports.nextChange(seconds),
      seconds + maxTickSeconds,
      this.#loop?.to ?? Number.POSITIVE_INFINITY,
      this.#stopAt,
    )
    this.#timer = window.setTimeout(
      this.#tick,
      Math.max(4, ((next - seconds) / this.media.playbackRate) * 1_000 + marginMs),
    )
  }

  async play(): Promise<void> {
    try {
      await this.media.play()
    } catch {
      // Rejected, or interrupted by a pause; the state follows the media element's own events.
    }
  }

  toggle(): void {
    this.#stopAt = Number.POSITIVE_INFINITY
    if (this.media.paused) void this.play()
    else this.pause()
  }

  /** Pauses on behalf of the user and rewinds slightly, so that typists hear the last words again. */
  pause(): void {
    if (this.media.paused) return
    this.media.pause()
    const back = this.#ports.jumpBackSeconds()
    if (back > 0) this.seek(Math.max(this.media.currentTime - back, this.#loop?.from ?? 0))
  }

  seek(seconds: number): void {
    const end = Number.isFinite(this.media.duration) ? this.media.duration : seconds
    this.media.currentTime = Math.max(0, Math.min(seconds, end))
    for (const listener of this.#listeners) listener(this.media.currentTime)
  }

  /** Plays from a time. */
  playFrom(seconds: number): void {
    this.#stopAt = Number.POSITIVE_INFINITY
    if (this.#loop !== null && (seconds < this.#loop.from || seconds >= this.#loop.to)) this.#loop = null
    this.seek(seconds)
    if (this.media.paused) void this.play()
  }

  /** Plays from a time, now or once the recording is loaded. */
  playWhenReady(seconds: number): void {
    if (this.state.get().status === 'ready') this.playFrom(seconds)
    else this.#startsAt = seconds
  }

  /** Plays a time range once. */
  playStretch(from: number, to: number): void {
    this.playFrom(Math.max(0, from))
    this.#stopAt = to
  }

  skip(seconds: number): void {
    this.seek(this.media.currentTime + seconds)
  }

  setRate(rate: number): void {
    const within = Math.min(3, Math.max(0.5, rate))
    this.media.playbackRate = within
    this.media.defaultPlaybackRate = within
    this.#update({ rate: within })
  }

  setVolume(volume: number): void {
    this.media.volume = Math.min(1, Math.max(0, volume))
  }

  get loop(): Loop | null {
    return this.#loop
  }

  setLoop(loop: Loop | null): void {
    this.#loop = loop
    if (loop !== null) this.playFrom(loop.from)
  }
}
