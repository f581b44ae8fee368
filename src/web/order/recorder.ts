import { useSyncExternalStore } from 'react'

export type RecorderState =
  | { readonly is: 'asking' }
  | { readonly is: 'refused'; readonly words: string }
  | { readonly is: 'recording' | 'paused'; readonly recordedMs: number; readonly level: number }

/** Containers in the order of preference: the service takes both, Safari makes only the second. */
const containers = ['audio/webm;codecs=opus', 'audio/mp4']
const shownEveryMs = 100
/** The browser hands over what it has this often, so that a long recording is not held in its encoder. */
const sliceMs = 2_000

function refusal(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'The browser was not allowed to use the microphone. Allow it beside the address, then try again.'
  if (name === 'NotFoundError') return 'No microphone was found. Plug one in, then try again.'
  return 'The microphone could not be opened. Another program may be using it.'
}

/** One recording from the microphone: level, pause, and the sound as a file at the end. */
export class Recorder {
  #state: RecorderState = { is: 'asking' }
  readonly #listeners = new Set<() => void>()
  #stream: MediaStream | null = null
  #recorder: MediaRecorder | null = null
  #context: AudioContext | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #pieces: Blob[] = []
  #recordedMs = 0
  #lastAt = 0
  #isClosed = false

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly state = (): RecorderState => this.#state

  #set(state: RecorderState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  /** Asks for the microphone and begins. */
  async start(): Promise<void> {
    this.#set({ is: 'asking' })
    try {
      // Speech recognisers and typists both want what was said, not what a call would make of it.
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: true },
      })
      if (this.#isClosed) return stopTracks(stream)
      this.#begin(stream)
    } catch (error) {
      this.#set({ is: 'refused', words: refusal(error) })
    }
  }

  #begin(stream: MediaStream): void {
    this.#stream = stream
    const mimeType = containers.find((type) => MediaRecorder.isTypeSupported(type))
    this.#recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
    this.#recorder.ondataavailable = ({ data }) => this.#pieces.push(data)
    this.#recorder.start(sliceMs)
    this.#context = new AudioContext()
    const analyser = this.#context.createAnalyser()
    analyser.fftSize = 1_024
    this.#context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    this.#lastAt = performance.now()
    this.#timer = setInterval(() => {
      const now = performance.now()
      const isRecording = this.#recorder?.state === 'recording'
      if (isRecording) this.#recordedMs += now - this.#lastAt
      this.#lastAt = now
      analyser.getFloatTimeDomainData(samples)
      const level = isRecording ? levelOf(samples) : 0
      this.#set({ is: isRecording ? 'recording' : 'paused', recordedMs: this.#recordedMs, level })
    }, shownEveryMs)
  }

  /** Pauses, or goes on. */
  toggle(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.pause()
    else this.#recorder?.resume()
  }

  /** Ends the recording. @returns the sound as a file of that name, and its length in milliseconds */
  async finish(name: string): Promise<{ file: File; recordedMs: number }> {
    const recorder = this.#recorder
    if (recorder === null) throw new Error('Nothing is being recorded.')
    if (recorder.state !== 'inactive') {
      await new Promise((resolve) => {
        recorder.onstop = resolve
        recorder.stop()
      })
    }
    this.close()
    const type = recorder.mimeType.split(';', 1)[0] ?? ''
    const file = new File(this.#pieces, `${name}.${type === 'audio/mp4' ? 'm4a' : 'webm'}`, { type })
    return { file, recordedMs: Math.round(this.#recordedMs) }
  }

  /** Lets go of the microphone. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    if (this.#stream) stopTracks(this.#stream)
    void this.#context?.close()
    this.#stream = null
    this.#context = null
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Loudness of a moment, 0 to 1, on a scale of 60 decibels as ears hear it. */
function levelOf(samples: Float32Array): number {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return meanSquare === 0 ? 0 : Math.min(1, Math.max(0, 1 + (10 * Math.log10(meanSquare)) / 60))
}

export function useRecorderState(recorder: Recorder): RecorderState {
  return useSyncExternalStore(recorder.subscribe, recorder.state)
}
