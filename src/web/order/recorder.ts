import { Signal } from '../state/signal.ts'
import type { Owner } from '../uploads/tray/line.ts'
import { RecordingKeeper, recordingName } from '../uploads/tray/recording-keeper.ts'

export type RecorderState =
  | { readonly is: 'asking' }
  | { readonly is: 'refused'; readonly words: string }
  | { readonly is: 'recording' | 'paused'; readonly recordedMs: number; readonly level: number }

/** Containers in the order of preference: the service takes both, Safari makes only the second. */
const containers = ['audio/webm;codecs=opus', 'audio/mp4']
const shownEveryMs = 100
/** The browser hands over what it has this often: more than that is never lost by a crash. */
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
  readonly state = new Signal<RecorderState>({ is: 'asking' })
  #stream: MediaStream | null = null
  #recorder: MediaRecorder | null = null
  #context: AudioContext | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #pieces: Blob[] = []
  readonly #owner: Owner
  #keeper: RecordingKeeper | null = null
  #name: string
  #recordedMs = 0
  #lastAt = 0
  #isClosed = false

  /** @param name under which it is kept until it is finished */
  constructor(owner: Owner, name: string) {
    this.#owner = owner
    this.#name = name
  }

  /** Asks for the microphone and begins. */
  async start(): Promise<void> {
    this.state.set({ is: 'asking' })
    try {
      // Speech recognisers and typists both want what was said, not what a call would make of it.
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: true },
      })
      if (this.#isClosed) return stopTracks(stream)
      this.#begin(stream)
    } catch (error) {
      this.state.set({ is: 'refused', words: refusal(error) })
    }
  }

  #begin(stream: MediaStream): void {
    this.#stream = stream
    const mimeType = containers.find((type) => MediaRecorder.isTypeSupported(type))
    this.#recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
    const keeper = new RecordingKeeper(this.#owner, bareType(this.#recorder))
    this.#keeper = keeper
    this.#recorder.ondataavailable = ({ data }) => {
      this.#pieces.push(data)
      keeper.add(data, this.#name, this.#recordedMs)
    }
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
      this.state.set({ is: isRecording ? 'recording' : 'paused', recordedMs: this.#recordedMs, level })
    }, shownEveryMs)
  }

  rename(name: string): void {
    this.#name = name
  }

  /** Pauses, or goes on. */
  toggle(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.pause()
    else this.#recorder?.resume()
  }

  /** Ends the recording. @returns the sound as a file, and its length in milliseconds; `forget` it once it is kept */
  async finish(): Promise<{ file: File; recordedMs: number }> {
    const recorder = this.#recorder
    if (recorder === null) throw new Error('Nothing is being recorded.')
    if (recorder.state !== 'inactive') {
      await new Promise((resolve) => {
        recorder.onstop = resolve
        recorder.stop()
      })
    }
    this.close()
    const type = bareType(recorder)
    const file = new File(this.#pieces, recordingName(this.#name, type), { type })
    return { file, recordedMs: Math.round(this.#recordedMs) }
  }

  /** Gives up what this device keeps of an unfinished recording. */
  forget(): void {
    void this.#keeper?.forget()
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

const bareType = ({ mimeType }: MediaRecorder): string => mimeType.split(';', 1)[0] ?? ''

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Loudness of a moment, 0 to 1, on a scale of 60 decibels as ears hear it. */
function levelOf(samples: Float32Array): number {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return meanSquare === 0 ? 0 : Math.min(1, Math.max(0, 1 + (10 * Math.log10(meanSquare)) / 60))
}
