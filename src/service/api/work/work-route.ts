import type { FastifyRequest } from 'fastify'
import { claimHeader } from '../../../contract/work/parts.ts'
import type { Staff } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { header } from '../http/operation.ts'
import { routeFor } from '../http/route.ts'

/** What the routes of the work interface are given. */
export type WorkGiven = { platform: Platform; staff: Staff }

/** A route of the work interface. */
export const route = routeFor((given: WorkGiven) => given)

export const optionalClaim = header(claimHeader, 'The number of the claim.')
/** For the routes that `heldRoute` makes. */
export const ofClaim = [{ ...optionalClaim, required: true }]

/** One below `/parts/{id}` for the part's holder, whose handler is given the part and the number of the claim (else 428). */
export const heldRoute = routeFor((given: WorkGiven, request) => {
  const claimed: [partId: string, claim: number] = [(request.params as { id: string }).id, readClaim(request)]
  return { ...given, claimed }
})

/** Whether that is a number that claims have: others are no number to PostgreSQL, either. */
export const isClaimNumber = (text: string) => /^\d{1,9}$/.test(text)

/** The number of a request's claim. @throws ServiceError 428 */
export function readClaim({ headers }: FastifyRequest): number {
  const number = headers[claimHeader.toLowerCase()]
  if (typeof number === 'string' && isClaimNumber(number)) return Number(number)
  throw new ServiceError(428, `Say which claim this is of: ${claimHeader}: number.`)
}

/** What the routes of a held part answer once it is not held any more. */
export const ended = {
  409: 'The hold has ended, or somebody else has the part by now. Nothing was changed.',
  410: 'The customer has deleted the order.',
  428: `No ${claimHeader}.`,
}
