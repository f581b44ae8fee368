import { type KeyLimits, type KeyRight, keyRights } from '../../../contract/account/key-limits.ts'
import { type ApiKeyChange, noLimits } from '../../../contract/account/keys.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { Caller } from './authenticate.ts'

/** What a route needs of a key. */
export type Needs = {
  right: KeyRight
  /** it keeps to the projects of a key that is limited to some */
  withinProjects: boolean
  /** open to accounts that are closed, though it is no reading */
  whileClosed: boolean
}

const actions: Readonly<Record<KeyRight, string>> = {
  read: 'read',
  order: 'order',
  correct: 'change texts, names or tags',
  delete: 'delete files',
  manage: 'manage the account',
}
const giver = 'A key with the right “manage” can give it, at Settings › Keys.'

/** @throws ServiceError 403 if the key has not the right, or is limited to projects and the route is not */
export function requireRight({ limits }: Caller, { right, withinProjects }: Needs): void {
  if (limits === null) return
  if (!limits.rights.includes(right)) {
    throw new ServiceError(403, `This key may not ${actions[right]}: it lacks the right “${right}”. ${giver}`)
  }
  if (limits.projects !== null && !withinProjects) {
    throw new ServiceError(
      403,
      'This key is limited to projects, and this concerns the whole account: take a key without that limit.',
    )
  }
}

/** Whether the caller's key reaches what is in a project; null: in none. */
export function reaches({ limits }: Pick<Caller, 'limits'>, projectId: string | null): boolean {
  const projects = limits?.projects ?? null
  return projects === null || (projectId !== null && projects.includes(projectId))
}

/**
 * The project of an order by the caller: the only one of a key that is limited to one, unless it names one.
 * @throws ServiceError 403 if the key may not order into it
 */
export function orderedProject<Asked extends { id: string }>(
  caller: Caller,
  asked: Asked | null,
): Asked | { id: string; overBudget: false } | null {
  if (reaches(caller, asked?.id ?? null)) return asked
  const [only, ...others] = caller.limits?.projects ?? []
  if (asked === null && only !== undefined && others.length === 0) return { id: only, overBudget: false }
  const words = 'This key orders only into its own projects: name one of them in Order-Project. Nothing was charged.'
  throw new ServiceError(403, words)
}

export function parseLimits({ limits_json }: Pick<ApiKey, 'limits_json'>): KeyLimits {
  return limits_json === null ? noLimits : JSON.parse(limits_json)
}

/** Limits after a change; what it leaves out stays. */
export function changeLimits(before: KeyLimits, change: Omit<ApiKeyChange, 'name'>): KeyLimits {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

/** @returns null if they limit nothing */
export function formatLimits(limits: KeyLimits): string | null {
  const rights = keyRights.filter((right) => limits.rights.includes(right))
  const { month_limit_cents: ofMonth, total_limit_cents: inAll = null, projects } = limits
  const isLimited = rights.length < keyRights.length || ofMonth !== null || inAll !== null || projects !== null
  return isLimited ? JSON.stringify({ ...limits, rights }) : null
}

/**
 * Checks the limits that a key is given by another.
 * @throws ServiceError 400 if a key that manages were limited, as it could lift that; 403 if the giver has not a right
 *   that it gives; 404 if the account has no such project
 */
export async function requireGrantable(
  trx: AccountTrx,
  giver: Pick<Caller, 'limits'>,
  limits: KeyLimits,
): Promise<void> {
  const { rights, month_limit_cents, total_limit_cents = null, projects } = limits
  const hasLimit = month_limit_cents !== null || total_limit_cents !== null || projects !== null
  if (rights.includes('manage') && hasLimit) {
    const words = 'A key with the right “manage” cannot be limited to projects or by a sum: it could lift that itself.'
    throw new ServiceError(400, words)
  }
  const missing = rights.find((right) => giver.limits !== null && !giver.limits.rights.includes(right))
  if (missing !== undefined) {
    throw new ServiceError(403, `This key cannot give the right “${missing}”: it lacks it itself.`)
  }
  if (projects === null) return
  const known = trx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', trx.accountId)
    .where('id', 'in', projects)
  if ((await known.execute()).length < new Set(projects).size) {
    throw new ServiceError(404, 'One of the projects is none of this account.')
  }
}
