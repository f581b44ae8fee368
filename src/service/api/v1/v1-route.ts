import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { routeFor } from '../http/route.ts'

/** What the routes of the customer's interface are given. */
export type V1Given = { platform: Platform; limits: RateLimits; caller: Caller }
export type V1Context = V1Given & { request: FastifyRequest; reply: FastifyReply }

/** A route of the customer's interface. */
export const route = routeFor((given: V1Given) => given, { withinProjects: true })
