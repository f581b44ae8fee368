import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { text } from './operation.ts'

/** What a route of a table answers. */
export const csv = { description: 'CSV.', content: { 'text/csv; charset=utf-8': text } }

/** Sends lines as they come, as a file of this name. */
export function sendCsv(reply: FastifyReply, name: string, lines: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(lines))
}
