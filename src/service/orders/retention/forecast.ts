import type { GoingDay, RetentionPreview, RetentionState } from '../../../contract/account/retention.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { parseLabels } from '../labels/change-labels.ts'
import { finishedFiles, type KeptFile, type Leaving, listDeletions, listRules } from './rules.ts'

/** More days than anybody reads. */
const daysTold = 31
const firstTold = 20

/**
 * Formats timestamps as days: `2026-12-03`. @param zone an IANA time zone @throws ServiceError 400 for an unknown one
 */
export function daysIn(zone: string): (at: number) => string {
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    return (at) => format.format(at)
  } catch {
    throw new ServiceError(400, 'zone must be a time zone such as Europe/Berlin.')
  }
}

/** Counts deletions by day. */
export class Forecast {
  readonly #days = new Map<string, GoingDay>()
  readonly #first: (Leaving & { name: string })[] = []
  readonly #dayOf: (at: number) => string
  #files = 0

  constructor(dayOf: (at: number) => string) {
    this.#dayOf = dayOf
  }

  /** Adds a file and its deletions. */
  add({ name }: KeptFile, leavings: readonly Leaving[]): void {
    this.#files += 1
    for (const { what, at } of leavings) {
      const day = this.#dayOf(at)
      const going = this.#days.get(day) ?? { day, recordings: 0, files: 0 }
      going[what === 'all' ? 'files' : 'recordings'] += 1
      this.#days.set(day, going)
    }
    const [next] = leavings
    if (next !== undefined) this.#first.push({ ...next, name })
  }

  /** The response to a preview; its `days` and `later` are also those of `GET retention`. */
  result(): RetentionPreview {
    const days = [...this.#days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
    const rest = days.slice(daysTold)
    const first = this.#first.sort((a, b) => a.at - b.at).slice(0, firstTold)
    return {
      files: this.#files,
      days: days.slice(0, daysTold),
      later: rest.reduce((sum, { recordings, files }) => sum + recordings + files, 0),
      first: first.map(({ name, what, at }) => ({ name, what, at: iso(at) })),
    }
  }
}

/** The account's rules, and what they delete when. */
export async function readRetention(
  { db }: Platform,
  accountId: string,
  dayOf: (at: number) => string,
): Promise<RetentionState> {
  const rules = await listRules(db, accountId)
  const forecast = new Forecast(dayOf)
  const tags = new Map<string, string>()
  let held = 0
  for await (const file of finishedFiles(db, accountId, null)) {
    forecast.add(file, listDeletions(rules, file))
    const labels = parseLabels(file)
    if (labels.held) held += 1
    for (const tag of labels.tags) tags.set(tag.toLowerCase(), tag)
  }
  const { days, later } = forecast.result()
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute()
  return { rules, days, later, held, tags: [...tags.values()].sort((a, b) => a.localeCompare(b, 'en')), projects }
}
