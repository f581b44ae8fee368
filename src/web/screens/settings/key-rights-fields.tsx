import { useQuery } from '@tanstack/react-query'
import { type KeyLimits, type KeyRight, keyRights } from '../../../contract/account/key-limits.ts'
import { noLimits } from '../../../contract/account/keys.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { account } from '../../base/api/account.ts'
import { projects } from '../../base/api/projects.ts'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Field } from '../../base/ui/field.tsx'
import { readCents } from '../../base/ui/read-cents.ts'
import { Segmented } from '../../base/ui/segmented.tsx'
import { useSession } from '../../signed-in/session/session.ts'

const rightWords: Record<KeyRight, string> = {
  read: 'Read files and texts',
  order: 'Order and pay',
  correct: 'Change texts, names, tags and vocabulary',
  delete: 'Delete files',
  manage: 'Manage keys, card, webhook, projects and settings',
}

const kinds = [
  { value: 'all', label: 'Everything' },
  { value: 'orders', label: 'Ordering' },
  { value: 'reads', label: 'Reading' },
] as const
type Kind = (typeof kinds)[number]['value']
const rightsOfKind: Record<Kind, readonly KeyRight[]> = {
  all: keyRights,
  orders: ['read', 'order'],
  reads: ['read'],
}

/** Fields of a key's limits as typed. */
export type LimitsDraft = Pick<KeyLimits, 'rights' | 'projects'> & { monthLimit: string; totalLimit: string }

export function toDraft({ rights, projects, ...limits }: KeyLimits = noLimits): LimitsDraft {
  const text = (cents: number | null | undefined) => (cents == null ? '' : centsToDecimal(cents))
  return { rights, projects, monthLimit: text(limits.month_limit_cents), totalLimit: text(limits.total_limit_cents) }
}

const isAmount = (typed: string) => typed.trim() === '' || readCents(typed) >= 0

/** The limits of a draft; null while something is missing or malformed. */
export function readDraft({ rights, projects, monthLimit, totalLimit }: LimitsDraft): KeyLimits | null {
  if (rights.includes('manage')) return { rights, projects: null, month_limit_cents: null, total_limit_cents: null }
  if (rights.length === 0 || !isAmount(monthLimit) || !isAmount(totalLimit) || projects?.length === 0) return null
  const cents = (typed: string) => (typed.trim() === '' ? null : readCents(typed))
  return { rights, projects, month_limit_cents: cents(monthLimit), total_limit_cents: cents(totalLimit) }
}

type Props = { draft: LimitsDraft; onChange: (draft: LimitsDraft) => void }

/** What a key may do, spend a month, and reach. A key that manages the account has no limits: it could lift them. */
export function KeyRightsFields({ draft, onChange }: Props) {
  const { rights } = draft
  const kind = kinds.find(({ value }) => String(rightsOfKind[value]) === String(rights))?.value
  const toggle = (right: KeyRight, on: boolean) =>
    onChange({ ...draft, rights: keyRights.filter((each) => (each === right ? on : rights.includes(each))) })
  return (
    <>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium">May</legend>
        <Segmented
          label="Kind of key"
          value={kind ?? ('' as Kind)}
          options={kinds}
          onChange={(chosen) => onChange({ ...draft, rights: [...rightsOfKind[chosen]] })}
        />
        <div className="mt-1 grid">
          {keyRights.map((right) => (
            <LabelledCheckbox
              key={right}
              label={rightWords[right]}
              checked={rights.includes(right)}
              onChange={({ target }) => toggle(right, target.checked)}
            />
          ))}
        </div>
      </fieldset>
      {!rights.includes('manage') && <Limits draft={draft} onChange={onChange} />}
    </>
  )
}

const limitFields = [
  { name: 'monthLimit', label: 'May spend a month' },
  { name: 'totalLimit', label: 'May spend in all' },
] as const

function Limits({ draft, onChange }: Props) {
  const session = useSession()
  const { data: overview } = useQuery(account.overview(session))
  const { data: known = [] } = useQuery(projects.list(session))
  const { projects: chosen } = draft
  const choose = (id: string, on: boolean) =>
    onChange({ ...draft, projects: [...(chosen ?? []).filter((each) => each !== id), ...(on ? [id] : [])] })
  return (
    <>
      {draft.rights.includes('order') &&
        limitFields.map(({ name, label }) => (
          <Field
            key={name}
            label={`${label}${overview ? `, ${overview.currency}` : ''}`}
            hint="Empty: no limit"
            inputMode="decimal"
            value={draft[name]}
            error={isAmount(draft[name]) ? undefined : 'An amount such as 50 or 12.50'}
            onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          />
        ))}
      {known.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Reaches</legend>
          <LabelledCheckbox
            label="All projects, and files in none"
            checked={chosen === null}
            onChange={({ target }) => onChange({ ...draft, projects: target.checked ? null : [] })}
          />
          {chosen !== null && (
            <div className="ml-6 grid max-h-40 overflow-y-auto">
              {known.map(({ id, name }) => (
                <LabelledCheckbox
                  key={id}
                  label={name}
                  checked={chosen.includes(id)}
                  onChange={({ target }) => choose(id, target.checked)}
                />
              ))}
            </div>
          )}
        </fieldset>
      )}
    </>
  )
}

/** `May read and order · $4.20 of $20.00 this month · 2 projects`; null if the key has no limits. */
export function describeLimits(
  limits: KeyLimits & { month_spent_cents: number; total_spent_cents?: number | undefined },
  money: (cents: number) => string,
): string | null {
  const { rights, month_limit_cents: limit, month_spent_cents: spent, projects } = limits
  const { total_limit_cents: inAll = null, total_spent_cents: spentInAll = 0 } = limits
  const parts = [
    ...(rights.length === keyRights.length ? [] : [`may ${listWords(rights)}`]),
    ...(limit === null ? [] : [`${money(spent)} of ${money(limit)} spent this month`]),
    ...(inAll === null ? [] : [`${money(spentInAll)} of ${money(inAll)} spent in all`]),
    ...(projects === null ? [] : [projects.length === 1 ? 'one project' : `${projects.length} projects`]),
  ]
  return parts.length === 0 ? null : parts.join(' · ')
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? `only ${words.join('')}` : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
