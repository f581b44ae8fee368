import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A customer's webhook receiver. `answer` is the response to every request from now on. */
export type Receiver = {
  url: string
  /** in the form of `ALLOW_TARGETS` */
  target: string
  received: { body: string; signature: string }[]
  answer: { status: number; body: string }
  close(): Promise<void>
}

/** Starts one on loopback. @param port 0: any free port */
export async function openReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      receiver.received.push({ body, signature: String(request.headers['webhook-signature']) })
      response.writeHead(receiver.answer.status).end(receiver.answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = {
    url: `http://${target}/parley`,
    target,
    received: [],
    answer: { status: 200, body: 'ok' },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
