import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { securityHeaders } from './security-headers.ts'

/** First byte of every TLS connection: the handshake's content type (RFC 8446, 5.1). No HTTP request begins with it. */
const tlsHandshake = 0x16
const silentMs = 60_000

/** Sends whoever speaks plain HTTP to the same address in HTTPS (spec 1, rule 3). */
function redirectServer(publicUrl: URL | null): http.Server {
  return http.createServer((request, response) => {
    const base = publicUrl?.origin ?? `https://${request.headers.host ?? ''}`
    const target = URL.canParse(request.url ?? '/', base) ? new URL(request.url ?? '/', base).href : base
    response.writeHead(308, { ...securityHeaders, location: target, connection: 'close' }).end()
    request.resume()
  })
}

/**
 * An HTTPS server whose port also understands plain HTTP, to redirect it: nobody has to open a second port for that.
 * @throws where certificate or key cannot be read or do not fit
 */
export function tlsServer(
  tls: { certPath: string; keyPath: string },
  publicUrl: URL | null,
  handler: http.RequestListener,
): https.Server {
  const server = https.createServer({ cert: readFileSync(tls.certPath), key: readFileSync(tls.keyPath) }, handler)
  const redirects = redirectServer(publicUrl)
  const speakTls = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const close = () => void socket.destroy()
    socket.setTimeout(silentMs, close).once('error', close)
    socket.once('data', (first: Buffer) => {
      socket.setTimeout(0).off('timeout', close).off('error', close).pause()
      socket.unshift(first)
      if (first[0] !== tlsHandshake) redirects.emit('connection', socket)
      else for (const listener of speakTls) listener.call(server, socket)
    })
  })
  return server
}
