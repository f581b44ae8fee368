/*
 * A clock of two tones, which tells from 85 ms of sound which moment of a recording is heard: one rises from 400 Hz by
 * 200 Hz a second and starts again every ten seconds, the other counts the tens from 2,600 Hz, 200 Hz each: with 40 Hz
 * between them, a gap in what a busy WebKitGTK played was heard as the next ten. Noise in every other minute varies the
 * rate of codecs that vary it.
 */
const within = 'mod(t\\,10)'
const rising = `0.3*sin(2*PI*(400*${within}+100*${within}*${within}))`
const counting = '0.3*sin(2*PI*(2600+200*floor(t/10))*t)'
const noise = '0.08*(random(0)-0.5)*gt(mod(t\\,120)\\,60)'

/** ffmpeg's source of the clock. */
export const toneClock = (seconds: number): string => `aevalsrc=${rising}+${counting}+${noise}:d=${seconds}:s=44100`

/**
 * In the page: prepares to play at the next click, as browsers start sound only then. Firefox runs no AudioContext without
 * a sound card; it records there what the player gives, in Opus.
 */
export function prepareClock(): void {
  type Captured = HTMLVideoElement & { mozCaptureStream?: () => MediaStream }
  const rate = 48_000
  const hearRecorded = async (media: Captured, enough: number) => {
    const parts: Blob[] = []
    const recorder = new MediaRecorder(media.mozCaptureStream?.() ?? new MediaStream(), { audioBitsPerSecond: 256_000 })
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    await media.play()
    const from = media.currentTime
    const end = performance.now() + 2_000
    while (media.currentTime < from + 0.4 && performance.now() < end) await new Promise((wake) => setTimeout(wake, 50))
    recorder.stop()
    await stopped
    const whole = await new Blob(parts).arrayBuffer()
    const sound = (await new OfflineAudioContext(1, 1, rate).decodeAudioData(whole)).getChannelData(0)
    const first = sound.findIndex((sample) => Math.abs(sample) > 0.02)
    return first < 0 ? null : [...sound.subarray(first, first + enough)]
  }
  const hearTapped = async (media: Captured, enough: number, tap: ScriptProcessorNode) => {
    const heard: number[] = []
    const isEnough = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 10_000)
      tap.onaudioprocess = ({ inputBuffer }) => {
        for (const sample of inputBuffer.getChannelData(0)) {
          if (heard.length > 0 || Math.abs(sample) > 0.02) heard.push(sample)
        }
        if (heard.length < enough) return
        clearTimeout(timer)
        resolve(true)
      }
      void media.play()
    })
    tap.onaudioprocess = null
    return isEnough ? heard.slice(0, enough) : null
  }
  const start = () => {
    const media: Captured = document.createElement('video')
    if (media.mozCaptureStream !== undefined) {
      Object.assign(window, { clock: { media, hear: (enough: number) => hearRecorded(media, enough) } })
      return
    }
    const context = new AudioContext({ sampleRate: rate })
    const tap = context.createScriptProcessor(1_024, 1, 1)
    context.createMediaElementSource(media).connect(tap).connect(context.destination)
    Object.assign(window, { clock: { context, media, hear: (enough: number) => hearTapped(media, enough, tap) } })
    void context.resume()
  }
  document.addEventListener('click', start, { once: true })
}

/** In the page: whether the click has come, and the sound may start. */
export function isClockReady(): boolean {
  const { clock } = window as unknown as { clock?: { context?: AudioContext } }
  return clock !== undefined && (clock.context?.state ?? 'running') === 'running'
}

/** In the page: opens a recording. @returns its length in seconds, or why it did not open in ten seconds */
export async function openInClock(url: string): Promise<number | string> {
  const { media } = (window as unknown as { clock: { media: HTMLMediaElement } }).clock
  media.src = url
  return await new Promise((resolve) => {
    setTimeout(() => resolve('not open after ten seconds'), 10_000)
    media.onloadedmetadata = () => resolve(media.duration)
    media.onerror = () => resolve(media.error?.message ?? 'failed')
  })
}

const rate = 48_000
/** The first 10 ms are skipped, as players fade in; then 85 ms are heard. */
const [skipped, heardSamples] = [480, 4_096]
export const clockSamples = skipped + heardSamples

/**
 * In the page: jumps to a time and plays.
 * @param seconds where to, and how many samples of 48 kHz to hear
 * @returns the samples heard there first; null if the browser did not arrive, or nothing was heard, within ten seconds
 */
export async function hearAfterJump([seconds, enough]: [number, number]): Promise<number[] | null> {
  type Clock = { media: HTMLMediaElement; hear(enough: number): Promise<number[] | null> }
  const { media, hear } = (window as unknown as { clock: Clock }).clock
  media.pause()
  const sought = new Promise<boolean>((resolve) => {
    media.addEventListener('seeked', () => resolve(true), { once: true })
    setTimeout(() => resolve(false), 10_000)
  })
  media.currentTime = seconds
  if (!(await sought)) return null
  const samples = await hear(enough)
  media.pause()
  return samples
}

/** The time of the clock at which samples of 48 kHz begin, in seconds. */
export function readClock(all: ArrayLike<number>): number {
  const samples = Array.from(all).slice(skipped, clockSamples)
  /** Goertzel's algorithm, over a Hann window. */
  const power = (hertz: number) => {
    const turn = 2 * Math.cos((2 * Math.PI * hertz) / rate)
    let [one, two] = [0, 0]
    for (const [at, sample] of samples.entries()) {
      const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / heardSamples)
      ;[one, two] = [sample * weight + turn * one - two, one]
    }
    return one * one + two * two - turn * one * two
  }
  const loudest = (from: number, to: number, step: number) => {
    let best = from
    for (let hertz = from; hertz <= to; hertz += step) if (power(hertz) > power(best)) best = hertz
    return best
  }
  const rough = loudest(400, 2_420, 10)
  const tens = Math.round((loudest(2_500, 5_500, 10) - 2_600) / 200)
  return tens * 10 + (loudest(rough - 10, rough + 10, 1) - 400) / 200 - (skipped + heardSamples / 2) / rate
}
