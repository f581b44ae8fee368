import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isPublicAddress } from '../../platform/net/public-address.ts'

/**
 * From which IP address a request came. Behind a proxy on this machine or network (`PUBLIC_URL`) it is the last one of
 * `X-Forwarded-For`, which that proxy added; what the customer wrote before it is not believed.
 */
export function addressOf({ socket, headers }: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const own = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const told = headers['x-forwarded-for']
  if (publicUrl === null || told === undefined || isPublicAddress(own)) return own
  return [told].flat().join(',').split(',').at(-1)?.trim().slice(0, 45) || own
}
