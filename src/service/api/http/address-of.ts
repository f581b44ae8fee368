import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isPublicAddress } from '../../platform/net/public-address.ts'

/**
 * Returns a request's client IP. Behind a proxy on this machine or network (`PUBLIC_URL`), that is the last entry of
 * `X-Forwarded-For`, added by that proxy; earlier entries come from the client and are not trusted.
 */
export function addressOf({ socket, headers }: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const own = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const told = headers['x-forwarded-for']
  if (publicUrl === null || told === undefined || isPublicAddress(own)) return own
  return [told].flat().join(',').split(',').at(-1)?.trim().slice(0, 45) || own
}
