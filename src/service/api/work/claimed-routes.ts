import type { FastifyRequest } from 'fastify'
import { claimHeader } from '../../../contract/work/parts.ts'
import { ServiceError } from '../../platform/service-error.ts'

export type OfPart = { Params: { id: string } }

/** Returns a request's part and the number of its claim. @throws ServiceError 428 */
export function claimed({ params, headers }: FastifyRequest<OfPart>): [partId: string, claim: number] {
  const number = headers[claimHeader.toLowerCase()]
  if (typeof number === 'string' && /^\d{1,9}$/.test(number)) return [params.id, Number(number)]
  throw new ServiceError(428, `Say which claim this is of: ${claimHeader}: number.`)
}
