import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { reasonOf, StartError } from '../../platform/start-error.ts'

/**
 * Listens on the configured host and port.
 * @returns the address with the actual port, `http://127.0.0.1:4600`
 * @throws StartError if the port is taken
 */
export async function listen(app: FastifyInstance, { host, port, tls }: Config): Promise<string> {
  try {
    const address = await app.listen({ host, port })
    return tls === null ? address : address.replace(/^http:/, 'https:')
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    const reason = inUse ? 'it is in use by another program' : reasonOf(error)
    throw new StartError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error })
  }
}
