import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fake recognizer server. Each response contains a hash of the piece's audio, so that no two are alike. */
export type FakeRecognizer = {
  url: URL
  /** text returned for every piece instead of its hash; null for the hash */
  says: string | null
  /** the hash of each piece received, in order */
  asked: string[]
  /** the prompt received with each piece, null without one */
  prompts: (string | null)[]
  /** called before each response with the number of requests so far; decides on an answer, a status, or none at all */
  before: (count: number) => Promise<'answer' | 'hang' | number> | 'answer' | 'hang' | number
  close(): Promise<void>
}

async function nameOfSound(form: FormData): Promise<string> {
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new Error('No file was sent.')
  return createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex')
    .slice(0, 8)
}

/** Starts it on a free local port. */
export async function startFakeRecognizer(): Promise<FakeRecognizer> {
  const fake: Omit<FakeRecognizer, 'url'> = {
    says: null,
    asked: [],
    prompts: [],
    before: () => 'answer',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server: Server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const headers = { 'content-type': incoming.headers['content-type'] ?? '' }
    const request = new Request('http://localhost', { method: 'POST', body: Buffer.concat(chunks), headers })
    const form = await request.formData()
    const name = await nameOfSound(form)
    fake.prompts.push(form.get('prompt') as string | null)
    fake.asked.push(name)
    const decided = await fake.before(fake.asked.length)
    if (decided === 'hang') return
    response.writeHead(decided === 'answer' ? 200 : decided, { 'content-type': 'application/json' })
    const text = fake.says ?? `heard ${name}`
    const words = text.split(' ').map((word, index) => ({ word, start: 0.5 + index / 2, end: 1 + index / 2 }))
    response.end(JSON.stringify({ text, words }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(fake, { url: new URL(`http://127.0.0.1:${port}/v1`) })
}
