import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { ownErrors } from '../../platform/own-errors.ts'
import { explainError, StartError } from '../../platform/start-error.ts'
import { securityHeaders } from './security-headers.ts'

/** First byte of every TLS connection: the handshake's content type (RFC 8446, 5.1). No HTTP request begins with it. */
const tlsHandshake = 0x16
const silentMs = 60_000

type TlsFiles = { certPath: string; keyPath: string }

/** Redirects plain HTTP to the same URL with HTTPS (spec 1, rule 3). */
function redirectServer(publicUrl: URL | null): http.Server {
  const redirect = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const base = publicUrl?.origin ?? `https://${request.headers.host ?? ''}`
    const target = URL.canParse(request.url ?? '/', base) ? new URL(request.url ?? '/', base).href : base
    response.writeHead(308, { ...securityHeaders, location: target, connection: 'close' }).end()
    request.resume()
  }
  return http.createServer((request, response) => {
    ownErrors(redirect, () => response.destroy())(request, response)
  })
}

function openTls(
  { certPath, keyPath }: TlsFiles,
  limits: http.ServerOptions,
  handler: http.RequestListener,
): https.Server {
  try {
    return https.createServer({ ...limits, cert: readFileSync(certPath), key: readFileSync(keyPath) }, handler)
  } catch (error) {
    throw new StartError(`TLS_CERT and TLS_KEY cannot be used: ${explainError(error)}.`, { cause: error })
  }
}

/**
 * Creates an HTTPS server that also redirects plain HTTP on the same port, so that no second port is needed.
 * @throws StartError if certificate or key cannot be read or do not match
 */
export function tlsServer(
  tls: TlsFiles,
  publicUrl: URL | null,
  limits: http.ServerOptions,
  handler: http.RequestListener,
): https.Server {
  const server = openTls(tls, limits, handler)
  const redirects = redirectServer(publicUrl)
  const speakTls = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const close = () => void socket.destroy()
    socket.setTimeout(silentMs, close).once('error', close)
    socket.once('readable', () => {
      const first: Buffer | null = socket.read(1)
      if (first === null) return close()
      socket.setTimeout(0).off('timeout', close).off('error', close).unshift(first)
      if (first[0] === tlsHandshake) for (const listener of speakTls) listener.call(server, socket)
      else redirects.emit('connection', socket)
      return undefined
    })
  })
  return server
}
