import { ServiceError } from '../../platform/service-error.ts'
import { route } from '../http/account-route.ts'
import { text } from '../http/operation.ts'
import { accountFactor, OpenCount } from '../http/rate-limits.ts'

/** Concurrent streams per key; each page of a browser needs one. */
const mostStreams = 20
const openStreams = new OpenCount()

const stream = { description: 'Server-sent events; `Last-Event-ID` resumes.', content: { 'text/event-stream': text } }

/** `events`: account changes as server-sent events (WHATWG HTML, 9.2). */
export const eventRoutes = [
  route(
    'get /events',
    'Changes as they happen',
    { withinProjects: true, 200: stream, http: { exposeHeadRoute: false } },
    async ({ hub, caller, request, reply }) => {
      const given = request.headers['last-event-id']
      const lastEventId = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
      const mostOfAccount = accountFactor * mostStreams
      const end = openStreams.begin(caller, mostStreams, mostOfAccount)
      if (typeof end === 'string') {
        const most = end === 'key' ? mostStreams : mostOfAccount
        const message = `At most ${most} event streams of ${end === 'key' ? 'a key' : 'an account'} can be open at once.`
        throw new ServiceError(429, message, { 'retry-after': '60' })
      }
      const { raw } = reply
      const begin = () => {
        // The response never ends, so Fastify cannot send it.
        reply.hijack()
        raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
        raw.socket?.setNoDelay(true)
      }
      const sink = {
        write(text: string) {
          if (!raw.headersSent) begin()
          raw.write(text)
        },
        pendingBytes: () => raw.writableLength,
        end(last = '') {
          if (!raw.headersSent) begin()
          // A graceful end would wait forever for a reader that has stopped reading.
          if (raw.writableLength > 0) raw.destroy()
          else raw.end(last)
        },
      }
      let unsubscribe: (() => void) | null = null
      raw.on('close', () => {
        unsubscribe?.()
        end()
      })
      try {
        unsubscribe = await hub.open(sink, caller, lastEventId)
        if (raw.destroyed) unsubscribe()
      } catch (error) {
        if (!raw.headersSent) throw error
        // The database went away: the client reconnects automatically.
        raw.destroy()
      }
      return reply
    },
  ),
]
