import { noticeMs, type RetentionPeriods, type RetentionScope } from '../../../contract/account/retention.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { parseLabels } from '../labels/change-labels.ts'

/** A rule of an account. `name`: the display name of its target. */
export type Rule = RetentionPeriods & { scope: RetentionScope; target: string; name: string }

/** The columns of a file that rules depend on. */
export type KeptFile = Pick<
  FileRow,
  | 'id'
  | 'name'
  | 'labels_json'
  | 'project_id'
  | 'progress_percent'
  | 'ready_at'
  | 'expires_at'
  | 'keeping_since'
  | 'recording_deleted_at'
>

/** What is deleted, when, and by which rule. */
export type Leaving = { what: 'recording' | 'all'; at: number; rule: Rule }

/** The rules of an account, in a stable order. */
export async function listRules(db: Db | Trx, accountId: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('keeping_rules as rule')
    .leftJoin('projects', (join) => join.onRef('projects.id', '=', 'rule.target').on('rule.scope', '=', 'project'))
    .select(['scope', 'target', 'tag', 'recording_days', 'all_days', 'projects.name as project'])
    .where('rule.account_id', '=', accountId)
    .orderBy('scope')
    .orderBy('target')
    .execute()
  return rows.map(({ tag, project, ...rule }) => ({ ...rule, name: project ?? tag }))
}

/** The rules that apply to a file: of its tags, else of its project, else of the account. */
function nearest(rules: readonly Rule[], file: KeptFile): readonly Rule[] {
  const tags = new Set(parseLabels(file).tags.map((tag) => tag.toLowerCase()))
  const ofTags = rules.filter(({ scope, target }) => scope === 'tag' && tags.has(target))
  if (ofTags.length > 0) return ofTags
  const ofProject = rules.filter(({ scope, target }) => scope === 'project' && target === file.project_id)
  return ofProject.length > 0 ? ofProject : rules.filter(({ scope }) => scope === 'account')
}

type Period = 'recording_days' | 'all_days'

function longest(rules: readonly Rule[], period: Period): { days: number; rule: Rule } | null {
  const [first, ...others] = rules
  if (first === undefined) return null
  const ruleDays = (rule: Rule) => rule[period] ?? Number.POSITIVE_INFINITY
  const rule = others.reduce((best, each) => (ruleDays(each) > ruleDays(best) ? each : best), first)
  return rule[period] === null ? null : { days: rule[period], rule }
}

/** The retention periods of a file as a text, for comparison. */
export function describePeriods(rules: readonly Rule[], file: KeptFile): string {
  const counted = nearest(rules, file)
  return JSON.stringify([longest(counted, 'recording_days')?.days, longest(counted, 'all_days')?.days])
}

/**
 * What is automatically deleted of a file, earliest first. Nothing if it is held, in progress, or expires with the
 * sandbox.
 */
export function listDeletions(rules: readonly Rule[], file: KeptFile): Leaving[] {
  const { ready_at, progress_percent, expires_at, keeping_since } = file
  if (rules.length === 0 || ready_at === null || progress_percent < 100 || expires_at !== null) return []
  if (parseLabels(file).held) return []
  const counted = nearest(rules, file)
  const leaving = (what: Leaving['what'], period: Period): Leaving | null => {
    const kept = longest(counted, period)
    if (kept === null) return null
    const at = Math.max(ready_at + kept.days * dayMs, (keeping_since ?? Number.NEGATIVE_INFINITY) + noticeMs)
    return { what, at, rule: kept.rule }
  }
  const all = leaving('all', 'all_days')
  const recording = file.recording_deleted_at === null ? leaving('recording', 'recording_days') : null
  const isFirst = recording !== null && (all === null || recording.at < all.at)
  return [isFirst ? recording : null, all].filter((each) => each !== null)
}

/** A rule as text: `all files: recordings after 30 days, everything after 365 days`. */
export function ruleText({ scope, name, recording_days, all_days }: Omit<Rule, 'target'>): string {
  const parts = [
    recording_days === null ? null : `recordings after ${recording_days} days`,
    all_days === null ? null : `everything after ${all_days} days`,
  ].filter((part) => part !== null)
  const of = scope === 'account' ? 'all files' : `${scope} “${name}”`
  return `${of}: ${parts.join(', ') || 'kept'}`
}

/** Only files that were ready by these times. */
export type ReadyBy = { recording: number; all: number; since: number }

const atOnce = 1_000

/** Finished files of an account, in the order in which they became ready. @param by see {@link ReadyBy}; null: all */
export async function* finishedFiles(db: Db | Trx, accountId: string, by: ReadyBy | null): AsyncGenerator<KeptFile> {
  for (let last = { ready_at: 0, id: '' } as { ready_at: number | null; id: string }; ; ) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'name', 'labels_json', 'project_id', 'progress_percent', 'ready_at'])
      .select(['expires_at', 'keeping_since', 'recording_deleted_at'])
      .where('account_id', '=', accountId)
      .where('ready_at', 'is not', null)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('ready_at', 'id'), '>', tuple(last.ready_at, last.id)))
      .$if(by !== null, (files) =>
        files
          .where((eb) =>
            eb.or([
              eb('ready_at', '<=', by?.all ?? 0),
              eb.and([eb('ready_at', '<=', by?.recording ?? 0), eb('recording_deleted_at', 'is', null)]),
            ]),
          )
          .where((eb) => eb(eb.fn.coalesce('keeping_since', eb.lit(0)), '<=', by?.since ?? 0)),
      )
      .orderBy('ready_at')
      .orderBy('id')
      .limit(atOnce)
      .execute()
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < atOnce) return
    last = end
  }
}
