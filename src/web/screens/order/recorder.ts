import { Signal } from '../../base/state/signal.ts'
import { RecordingBackup, recordingName } from '../../signed-in/uploads/tray/recording-backup.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'

export type RecorderState =
  | { readonly is: 'asking' }
  | { readonly is: 'refused'; readonly words: string }
  | { readonly is: 'recording' | 'paused'; readonly recordedMs: number; readonly level: number }

/** Containers in order of preference: the service accepts both, Safari records only the second. */
const containers = ['audio/webm;codecs=opus', 'audio/mp4']
const shownEveryMs = 100
/** The browser delivers recorded data at this interval: the most a crash can lose. */
const sliceMs = 2_000

function refusal(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'The browser was not allowed to use the microphone. Allow it in the address bar, then try again.'
  if (name === 'NotFoundError') return 'No microphone was found. Plug one in, then try again.'
  return 'The microphone could not be opened. Another program may be using it.'
}

/** One recording from the microphone: its level, pausing, and the resulting file. */
export class Recorder {
  readonly state = new Signal<RecorderState>({ is: 'asking' })
  #stream: MediaStream | null = null
  #recorder: MediaRecorder | null = null
  #context: AudioContext | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #pieces: Blob[] = []
  readonly #owner: Owner
  #backup: RecordingBackup | null = null
  #name: string
  #recordedMs = 0
  #lastAt = 0
  #isClosed = false

  /** @param name its storage name until it is finished */
  constructor(owner: Owner, name: string) {
    this.#owner = owner
    this.#name = name
  }

  /** Requests the microphone and starts recording. */
  async start(): Promise<void> {
    this.state.set({ is: 'asking' })
    try {
      // Recognizers and typists both need the original sound, not processed for calls.
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
    const backup = new RecordingBackup(this.#owner, bareType(this.#recorder))
    this.#backup = backup
    this.#recorder.ondataavailable = ({ data }) => {
      this.#pieces.push(data)
      backup.add(data, this.#name, this.#recordedMs)
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
      const level = isRecording ? measureLevel(samples) : 0
      this.state.set({ is: isRecording ? 'recording' : 'paused', recordedMs: this.#recordedMs, level })
    }, shownEveryMs)
  }

  rename(name: string): void {
    this.#name = name
  }

  /** Pauses or resumes. */
  toggle(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.pause()
    else this.#recorder?.resume()
  }

  /** Ends the recording. @returns the sound as a file, and its length in milliseconds; `discard` it once it is stored with its upload */
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

  /** Deletes its stored data from this device. */
  discard(): void {
    void this.#backup?.remove()
  }

  /** Releases the microphone. */
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

/** Current loudness, 0 to 1, on a perceptual scale of 60 decibels. */
function measureLevel(samples: Float32Array): number {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return meanSquare === 0 ? 0 : Math.min(1, Math.max(0, 1 + (10 * Math.log10(meanSquare)) / 60))
}
