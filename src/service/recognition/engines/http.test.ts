import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Piece } from '../engine.ts'
import { EngineAwayError } from '../engine.ts'
import { asWav, HttpEngine } from './http.ts'
import { readHttpAnswer } from './http-answer.ts'

const never = new AbortController().signal
const piece: Piece = { position: 0, startMs: 0, endMs: 4_000, resumeMs: 4_000, pcm: new Int16Array(64_000).fill(1_000) }

type Seen = { path: string; key: string | undefined; fields: FormData }
let seen: Seen[]
let server: Server
let handle: (request: Seen, response: ServerResponse) => void

/** Parses a request's form; null if the client disconnects early. */
async function readForm(request: IncomingMessage): Promise<FormData | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return null
  }
  const type = request.headers['content-type'] ?? ''
  return new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
}

beforeEach(async () => {
  seen = []
  server = createServer(async (request, response) => {
    const fields = await readForm(request)
    if (fields === null) return
    const one = { path: request.url ?? '', key: request.headers.authorization, fields }
    seen.push(one)
    handle(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function engine(path = '', patienceMs = 5_000): HttpEngine {
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}${path}`)
  return new HttpEngine({ url, key: 'secret', model: 'small', patienceMs })
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const openAi = {
  task: 'transcribe',
  language: 'english',
  duration: 4,
  text: 'Hello there, world.',
  words: [
    { word: 'Hello', start: 0.1, end: 0.5 },
    { word: 'there,', start: 0.5, end: 0.9 },
    { word: 'world.', start: 1.2, end: 1.8 },
  ],
  segments: [{ id: 0, start: 0, end: 2, text: ' Hello there, world.', avg_logprob: -0.25 }],
}

/** The same response in each server's dialect. */
const dialects: Record<string, unknown> = {
  OpenAI: openAi,
  speaches: {
    text: openAi.text,
    duration: 4,
    words: openAi.words.map((word) => ({ ...word, word: ` ${word.word}`, probability: 0.75 })),
    segments: [{ ...openAi.segments[0], words: openAi.words }],
  },
  LocalAI: {
    text: openAi.text,
    segments: [{ id: 0, start: 0, end: 2e9, text: openAi.text }],
    words: openAi.words.map(({ word, start, end }) => ({ text: word, start: start * 1e9 + 1e9, end: end * 1e9 + 1e9 })),
  },
  vLLM: { text: openAi.text, duration: '4.0', language: 'en' },
  'vLLM with segments': {
    text: openAi.text,
    duration: '4.0',
    segments: [{ id: 0, start: 0.1, end: 1.8, text: openAi.text, avg_logprob: -0.25 }],
  },
  'whisper.cpp': {
    text: openAi.text,
    segments: [
      {
        id: 0,
        start: 0,
        end: 2,
        text: ' Hello there, world.',
        words: [
          { word: '[_BEG_]', start: 0, end: 0, probability: 0.9 },
          { word: ' Hel', start: 0.1, end: 0.3, probability: 0.8 },
          { word: 'lo', start: 0.3, end: 0.5, probability: 0.6 },
          { word: ' there', start: 0.5, end: 0.8, probability: 0.9 },
          { word: ',', start: 0.8, end: 0.9, probability: 0.9 },
          { word: ' world', start: 1.2, end: 1.7, probability: 0.9 },
          { word: '.', start: 1.7, end: 1.8, probability: 0.9 },
        ],
      },
    ],
  },
}

describe('hints', () => {
  it('are its prompt, as many whole ones as it holds', async () => {
    handle = (_, response) => json(response, openAi)
    const one = engine()
    await one.recognize(piece, never, ['Nordwind', 'Sluzhba AG'])
    await one.recognize(piece, never, ['a'.repeat(300), 'b'.repeat(300), 'c'])
    await one.recognize(piece, never)
    expect(seen.map(({ fields }) => fields.get('prompt'))).toEqual(['Nordwind, Sluzhba AG', 'a'.repeat(300), null])
  })

  it('are omitted for servers that reject them, without lowering the requested format', async () => {
    handle = ({ fields }, response) =>
      fields.has('prompt') ? json(response, { error: 'prompt is not supported' }, 400) : json(response, openAi)
    const one = engine()
    expect(await one.recognize(piece, never, ['Nordwind'])).toHaveLength(3)
    expect(seen.at(-1)?.fields.get('response_format')).toBe('verbose_json')
    const before = seen.length
    await one.recognize(piece, never, ['Nordwind'])
    expect(seen).toHaveLength(before + 1)
  })
})

describe('an answer', () => {
  it.each(Object.keys(dialects))('of %s gives the words in order, with times and confidences', async (name) => {
    handle = (_, response) => json(response, dialects[name])
    const words = await engine().recognize(piece, never)
    expect(words.map(({ text }) => text)).toEqual(['Hello', 'there,', 'world.'])
    for (const [index, { start, end, confidence }] of words.entries()) {
      expect(end).toBeGreaterThan(start)
      expect(end).toBeLessThanOrEqual(4)
      expect(start).toBeGreaterThanOrEqual(words[index - 1]?.start ?? 0)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
    const isEstimated = name.startsWith('vLLM')
    expect(words.every(({ estimated }) => (estimated === true) === isEstimated)).toBe(true)
  })

  it("uses a word's confidence if present, else the segment's", () => {
    expect(readHttpAnswer(dialects['whisper.cpp'], 4)?.[0]?.confidence).toBeCloseTo(0.7)
    expect(readHttpAnswer(dialects.speaches, 4)?.[0]?.confidence).toBe(0.75)
    expect(readHttpAnswer(dialects.OpenAI, 4)?.[0]?.confidence).toBeCloseTo(Math.exp(-0.25))
  })

  it.each([null, 'text', 7, [], {}, { words: 'many' }, { segments: [{ start: {} }] }, '<html>'])(
    '%o is none',
    (body) => {
      expect(readHttpAnswer(body, 4)).toBeNull()
    },
  )

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (words, segments) => {
        readHttpAnswer({ text: 'a b', words, segments }, 4)
        readHttpAnswer(words, 4)
      }),
    )
  })

  it('without speech is no words', () => {
    expect(readHttpAnswer({ text: '', words: [], segments: [] }, 4)).toEqual([])
  })
})

describe('asking', () => {
  it.each([
    ['', '/v1/audio/transcriptions'],
    ['/', '/v1/audio/transcriptions'],
    ['/v1', '/v1/audio/transcriptions'],
    ['/openai/v1/', '/openai/v1/audio/transcriptions'],
    ['/inference', '/inference'],
  ])('goes from "%s" to %s, with the key, the model and the sound', async (path, expected) => {
    handle = (_, response) => json(response, openAi)
    await engine(path).recognize(piece, never)
    const [request] = seen
    expect(request?.path).toBe(expected)
    expect(request?.key).toBe('Bearer secret')
    expect(request?.fields.get('model')).toBe('small')
    expect(request?.fields.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
    const file = request?.fields.get('file')
    if (!(file instanceof Blob)) throw new Error('No file was sent.')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(asWav(piece.pcm))
  })

  it('falls back to a simpler format if the server has no word times, and remembers it', async () => {
    handle = ({ fields }, response) => {
      if (fields.has('timestamp_granularities[]')) return json(response, { error: 'not supported' }, 400)
      if (fields.get('response_format') === 'verbose_json') return json(response, { error: 'not supported' }, 422)
      json(response, { text: 'Hello there, world.' })
    }
    const asked = engine()
    expect(await asked.recognize(piece, never)).toHaveLength(3)
    expect(seen).toHaveLength(3)
    await asked.recognize(piece, never)
    expect(seen).toHaveLength(4)
  })
})

describe('a server in trouble', () => {
  it.each([500, 502, 503, 429, 401, 404])('that answers %i is away: the order waits', async (status) => {
    handle = (_, response) => response.writeHead(status, { 'content-type': 'text/plain' }).end('whisper_full() failed')
    const error = await engine()
      .recognize(piece, never)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(EngineAwayError)
    expect(String(error)).not.toContain('whisper_full')
  })

  it('that hangs is away after its time', async () => {
    handle = () => {}
    await expect(engine('', 200).recognize(piece, never)).rejects.toThrow(
      'The recognizer server did not respond in time.',
    )
  })

  it('that hangs in the middle of its answer is away after its time', async () => {
    handle = (_, response) => response.writeHead(200).write('{"text":')
    await expect(engine('', 200).recognize(piece, never)).rejects.toThrow('did not respond in time')
  })

  it('that is not there is away', async () => {
    const gone = engine()
    await new Promise((resolve) => server.close(resolve))
    await expect(gone.recognize(piece, never)).rejects.toThrow('The recognizer server could not be reached.')
    server.listen(0)
  })

  it('that is asked until a deletion or another fault stops it leaves no error behind, which would end the process', async () => {
    handle = () => {}
    // Vitest fails the run for a rejection that nobody catches.
    for (let turns = 0; turns < 20; turns += 1) {
      const stop = new AbortController()
      const asked = engine().recognize({ ...piece, pcm: new Int16Array(480_000) }, stop.signal)
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      stop.abort(new Error('stopped'))
      await expect(asked).rejects.toThrow('stopped')
    }
  })

  it('that answers something else fails the piece', async () => {
    handle = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    await expect(engine().recognize(piece, never)).rejects.toThrow('a response that is not a transcript')
  })

  it('that answers without end is cut off', async () => {
    handle = (_, response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        response.once('drain', write)
      }
      write()
    }
    await expect(engine().recognize(piece, never)).rejects.toThrow('too large a response')
  })

  it('aborts immediately', async () => {
    const stop = new AbortController()
    handle = () => stop.abort()
    await expect(engine().recognize(piece, stop.signal)).rejects.toThrow(/abort/)
  })
})
