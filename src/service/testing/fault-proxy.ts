import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fault injected into a request: refuses the connection, responds itself, waits, or cuts the response. */
export type Fault =
  | 'down'
  | { status: number; body: string; type?: string }
  | { waitMs: number }
  /** the server does all the work, the client gets this many bytes of the response body; 'lost': nothing at all */
  | { cutAt: number }
  | 'lost'
  | null

export type FaultProxy = {
  endpoint: URL
  /** called for each request; null: no fault */
  faultOf: (request: { method: string; url: string; headers: IncomingMessage['headers'] }) => Fault
  close(): void
}

/** An S3 error response. */
export function s3Error(status: number, code: string): Fault {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return { status, body, type: 'application/xml' }
}

/** Forwards a response, up to `cutAt` bytes of its body. */
function passOn(answer: IncomingMessage, response: ServerResponse, cutAt: number): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  // Either side may disappear halfway.
  answer.on('error', () => response.destroy())
  if (cutAt === Number.POSITIVE_INFINITY) return void answer.pipe(response)
  let passed = 0
  answer.on('data', (chunk: Buffer) => {
    const rest = chunk.subarray(0, cutAt - passed)
    passed += rest.byteLength
    if (passed < cutAt) return void response.write(rest)
    answer.destroy()
    response.write(rest, () => response.destroy())
  })
  answer.on('end', () => response.end())
}

function forward(asked: IncomingMessage, response: ServerResponse, target: URL, fault: Fault): void {
  const { method, url, headers } = asked
  const sent = request({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
    if (fault === 'lost') answer.resume().once('end', () => response.destroy())
    else
      passOn(answer, response, fault !== null && typeof fault === 'object' && 'cutAt' in fault ? fault.cutAt : Infinity)
  })
  sent.on('error', () => response.destroy())
  // Propagates the death of a client to the server.
  asked.once('close', () => asked.complete || sent.destroy())
  asked.pipe(sent)
}

/** For tests: a proxy for an S3 server that injects the test's faults. */
export async function startFaultProxy(target: URL): Promise<FaultProxy> {
  const answer = (asked: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = asked
    const fault = proxy.faultOf({ method, url, headers })
    if (fault === 'down') asked.socket.destroy()
    else if (fault !== null && typeof fault === 'object' && 'status' in fault) {
      asked.resume()
      response.writeHead(fault.status, { 'content-type': fault.type ?? 'text/html' }).end(fault.body)
    } else if (fault !== null && typeof fault === 'object' && 'waitMs' in fault) {
      setTimeout(() => forward(asked, response, target, null), fault.waitMs)
    } else forward(asked, response, target, fault)
  }
  const server: Server = createServer(answer)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const proxy: FaultProxy = {
    endpoint: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    faultOf: () => null,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}
