import { refineJson } from '../../platform/refine-text.ts'
import type { Engine, EngineState, HeardWord, Piece } from '../engine.ts'
import { EngineAwayError, EngineError } from '../engine.ts'
import { readHttpAnswer } from './http-answer.ts'

/** The response for 30 s of speech is a few kilobytes; anything above this is invalid. */
const maxAnswerBytes = 4_000_000
const defaultPatienceMs = 120_000
/** Whisper reads the last 224 tokens of its prompt, and a name takes several: this many characters always fit. */
const maxPromptLength = 600

type Options = {
  /** `https://host`, `https://host/v1` or the full URL of the endpoint */
  url: URL
  key: string | null
  model: string | null
  /** timeout per piece; a server on a slow machine needs several times its length */
  patienceMs?: number
}

/** Response formats, most detailed first; if a server rejects one, the next is tried. */
const askings = [
  'response_format=verbose_json&timestamp_granularities[]=word&timestamp_granularities[]=segment',
  'response_format=verbose_json',
  'response_format=json',
] as const

function resolveEndpoint(url: URL): URL {
  const path = url.pathname.replace(/\/+$/, '')
  if (/\/(transcriptions|inference)$/.test(path)) return url
  const endpoint = new URL(url)
  endpoint.pathname = /\/v\d+$/.test(path) ? `${path}/audio/transcriptions` : `${path}/v1/audio/transcriptions`
  return endpoint
}

/** Encodes 16 kHz mono 16-bit samples as a WAV file. */
export function asWav(pcm: Int16Array): Uint8Array<ArrayBuffer> {
  const wav = new Uint8Array(44 + pcm.byteLength)
  const view = new DataView(wav.buffer)
  const text = (at: number, chars: string) => wav.set(Buffer.from(chars, 'latin1'), at)
  text(0, 'RIFF')
  view.setUint32(4, 36 + pcm.byteLength, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 16_000, true)
  view.setUint32(28, 32_000, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, pcm.byteLength, true)
  wav.set(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), 44)
  return wav
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxAnswerBytes) throw new EngineError('The recognizer server sent too large a response.', true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return refineJson(JSON.parse(text))
  } catch {
    return null
  }
}

/** Client for any server with OpenAI's `POST /v1/audio/transcriptions`. Pieces are sent sequentially. */
export class HttpEngine implements Engine {
  readonly parallel = 1
  readonly maxPieceMs = 30_000
  readonly #options: Options
  readonly #endpoint: URL
  #asking = 0
  /** false for servers that reject any request with a prompt */
  #takesPrompt = true

  constructor(options: Options) {
    this.#options = options
    this.#endpoint = resolveEndpoint(options.url)
  }

  async state(): Promise<EngineState> {
    const worth = { engine: 'http', language: null } as const
    return { ready: true, name: `server ${this.#endpoint.host}`, note: null, worth }
  }

  async recognize(piece: Piece, signal: AbortSignal, hints: readonly string[] = []): Promise<HeardWord[]> {
    const seconds = piece.pcm.length / 16_000
    for (;;) {
      const asking = this.#asking
      const prompt = this.#takesPrompt ? buildPrompt(hints) : ''
      const { status, text } = await this.#post(piece, askings[asking] ?? '', prompt, signal)
      if (status === 400 || status === 422) {
        if (asking < askings.length - 1) {
          this.#asking = Math.max(this.#asking, asking + 1)
          continue
        }
        if (prompt !== '') {
          this.#takesPrompt = false
          this.#asking = 0
          continue
        }
      }
      if (status !== 200) throw refusal(status)
      const words = readHttpAnswer(parseJson(text), seconds)
      if (words === null) throw new EngineError('The recognizer server sent a response that is not a transcript.', true)
      return words
    }
  }

  async close(): Promise<void> {}

  async #post(piece: Piece, asking: string, prompt: string, signal: AbortSignal) {
    const { key, model, patienceMs = defaultPatienceMs } = this.#options
    const form = new FormData()
    form.append('file', new Blob([asWav(piece.pcm)], { type: 'audio/wav' }), 'piece.wav')
    form.append('model', model ?? 'whisper-1')
    form.append('temperature', '0')
    if (prompt !== '') form.append('prompt', prompt)
    for (const [name, value] of new URLSearchParams(asking)) form.append(name, value)
    // As bytes: Node's fetch reads a form on after its connection has failed, and that error ends the process.
    const encoded = new Response(form)
    const contentType = encoded.headers.get('content-type') ?? ''
    const body = await encoded.bytes()
    const patience = AbortSignal.timeout(patienceMs)
    try {
      const response = await fetch(this.#endpoint, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType, ...(key !== null && { authorization: `Bearer ${key}` }) },
        redirect: 'error',
        signal: AbortSignal.any([signal, patience]),
      })
      return { status: response.status, text: await readBounded(response) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof EngineError) throw error
      const reason = patience.aborted ? 'did not respond in time' : 'could not be reached'
      throw new EngineAwayError(`The recognizer server ${reason}.`, { cause: error })
    }
  }
}

/** Joins as many whole hints as a prompt holds. */
function buildPrompt(hints: readonly string[]): string {
  let prompt = ''
  for (const hint of hints) {
    const longer = prompt === '' ? hint : `${prompt}, ${hint}`
    if (longer.length > maxPromptLength) break
    prompt = longer
  }
  return prompt
}

/** The server's own message is not passed on: it may be plain text, HTML or a stack trace. */
function refusal(status: number): EngineError {
  if (status === 401 || status === 403) return new EngineAwayError('The recognizer server rejected its API key.')
  if (status === 404) return new EngineAwayError('The recognizer server does not have this URL or model.')
  if (status === 408 || status === 429 || status >= 500) {
    return new EngineAwayError(`The recognizer server failed (it returned ${status}).`)
  }
  return new EngineError(`The recognizer server rejected a part of the recording (it returned ${status}).`, false)
}
