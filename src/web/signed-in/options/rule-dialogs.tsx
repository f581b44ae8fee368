import { useState } from 'react'
import {
  type GoingDay,
  noticeDays,
  type RetentionChange,
  type RetentionPeriods,
  type RetentionPreview,
  type RetentionRule,
  type RetentionState,
} from '../../../contract/account/retention.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { changeRule } from '../../base/api/retention-rules.ts'
import type { Dates } from '../../base/ui/dates.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Select } from '../../base/ui/select.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../preferences/preferred-dates.ts'
import { useSession } from '../session/session.ts'

/** A change previewed before it is applied. */
export type Asked = { change: RetentionChange; preview: RetentionPreview }

/** The scope of a rule: `All files`, `Tag “Fieldwork”`. */
export function scopeText({ scope, name }: Pick<RetentionRule, 'scope' | 'name'>): string {
  if (scope === 'account') return 'All files'
  return `${scope === 'tag' ? 'Tag' : 'Project'} “${name}”`
}

/** `recordings after 30 days, everything after 365 days` */
export function periodsText({ recording_days, all_days }: RetentionPeriods): string {
  const parts = [
    recording_days !== null && `recordings after ${recording_days} days`,
    all_days !== null && `everything after ${all_days} days`,
  ]
  return parts.filter(Boolean).join(', ') || 'kept, nothing is deleted'
}

/** `On 3 December 41 recordings are deleted` */
function goingText({ day, recordings, files }: GoingDay, dates: Dates): string {
  const what = [recordings > 0 && formatCount(recordings, 'recording'), files > 0 && formatCount(files, 'file')].filter(
    Boolean,
  )
  // Noon, in any time zone.
  return `On ${dates.day(Date.parse(`${day}T12:00`))} ${what.join(' and ')} ${recordings + files === 1 ? 'is' : 'are'} deleted`
}

const choices = (known: RetentionState) => [
  { value: 'account', label: 'All files' },
  ...known.tags.map((tag) => ({ value: `tag ${tag}`, label: `Tag “${tag}”` })),
  ...known.projects.map(({ id, name }) => ({ value: `project ${id}`, label: `Project “${name}”` })),
]

/** Parses a field of days: '' is never; NaN if invalid for a rule. */
function parseDays(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const days = /^\d{1,4}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return days >= noticeDays ? days : Number.NaN
}

const daysError = (days: number | null) =>
  Number.isNaN(days) ? `A number of at least ${noticeDays}, or nothing for never.` : undefined

type Props = { known: RetentionState; rule: RetentionRule | null; onAsk: (asked: Asked) => void; onClose: () => void }

/** A rule to create (null) or change; its effect is previewed next. */
export function RuleDialog({ known, rule, onAsk, onClose }: Props) {
  const session = useSession()
  const [of, setOf] = useState('account')
  const [recording, setRecording] = useState(String(rule?.recording_days ?? ''))
  const [all, setAll] = useState(String(rule?.all_days ?? ''))
  const keep = { recording_days: parseDays(recording), all_days: parseDays(all) }
  const space = of.indexOf(' ')
  const chosen =
    space < 0 ? { scope: 'account', target: '' } : { scope: of.slice(0, space), target: of.slice(space + 1) }
  const { scope, target } = rule === null ? (chosen as Pick<RetentionRule, 'scope' | 'target'>) : rule
  const isWrong = Number.isNaN(keep.recording_days) || Number.isNaN(keep.all_days)
  // For a tag or project that exempts its files from other rules; for all files it would do nothing.
  const isEmpty = keep.recording_days === null && keep.all_days === null
  const doesNothing = isEmpty && scope === 'account'
  const show = async () => {
    const change = { scope, target: rule?.scope === 'tag' ? rule.name : target, keep, confirmed: false }
    onAsk({ change, preview: await changeRule(session, change) })
  }
  return (
    <FormDialog
      title={rule === null ? 'New rule' : `Rule: ${scopeText(rule)}`}
      submit={isEmpty && !doesNothing ? 'Show what will be kept' : 'Show what will be deleted'}
      isReady={!isWrong && !doesNothing}
      onSubmit={show}
      onClose={onClose}
    >
      {rule === null && (
        <div className="grid justify-items-start gap-1.5">
          <span className="font-medium">For</span>
          <Select label="For" value={of} options={choices(known)} onChange={setOf} className="w-full" />
        </div>
      )}
      <DaysField
        label="Delete the recording, keep the text"
        text={recording}
        error={daysError(keep.recording_days)}
        onChange={setRecording}
      />
      <DaysField label="Delete everything" text={all} error={daysError(keep.all_days)} onChange={setAll} />
      <p className="text-sm text-ink-3">
        Days after the transcript was ready.{' '}
        {scope === 'account'
          ? 'Fill in at least one.'
          : 'Both empty: these files are kept whatever the other rules say.'}
      </p>
    </FormDialog>
  )
}

type DaysProps = { label: string; text: string; error: string | undefined; onChange: (text: string) => void }

function DaysField({ label, text, error, onChange }: DaysProps) {
  return (
    <Field
      label={label}
      inputMode="numeric"
      placeholder="never"
      after={<span className="px-2 text-ink-3">days</span>}
      value={text}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** The effect of a change, and its confirmation. */
export function ConfirmRuleDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const session = useSession()
  const { change, preview } = asked
  const save = async () => {
    await changeRule(session, { ...change, confirmed: true })
    await queryClient.invalidateQueries({ queryKey: account.all(session) })
    showToast({ tone: 'ok', title: change.keep === null ? 'Rule removed' : 'Rule saved' })
  }
  return (
    <FormDialog
      title={change.keep === null ? 'Remove this rule?' : 'What this rule does'}
      submit={change.keep === null ? 'Remove rule' : 'Save rule'}
      isDanger={preview.days.length > 0}
      onSubmit={save}
      onClose={onClose}
    >
      <PreviewText preview={preview} />
    </FormDialog>
  )
}

function PreviewText({ preview: { files, days, later, first } }: { preview: RetentionPreview }) {
  const dates = useDates()
  if (days.length === 0)
    return (
      <p>
        {files === 0
          ? 'It changes nothing for files that are ready now.'
          : `${formatCount(files, 'ready file')} will stay.`}
      </p>
    )
  return (
    <>
      <p>
        This changes when {formatCount(files, 'ready file')} {files === 1 ? 'is' : 'are'} deleted. Nothing will be
        deleted in the next {noticeDays} days. What a rule has deleted cannot be brought back.
      </p>
      <ForecastList days={days} later={later} />
      <details className="min-w-0">
        <summary className="cursor-default text-ink-2">Deleted first</summary>
        <ul className="mt-2 grid gap-1 text-sm">
          {first.map(({ name, what, at }, index) => (
            <li key={index} className="flex justify-between gap-3">
              <bdi className="min-w-0 truncate">{name}</bdi>
              <span className="shrink-0 text-ink-2">
                {what === 'recording' ? 'recording' : 'everything'}, {dates.day(Date.parse(at))}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

const daysShown = 5

/** Upcoming deletions by day. */
export function ForecastList({ days, later }: Pick<RetentionPreview, 'days' | 'later'>) {
  const dates = useDates()
  const rest = days.slice(daysShown).reduce((sum, { recordings, files }) => sum + recordings + files, later)
  return (
    <ul className="grid gap-0.5 tabular-nums">
      {days.slice(0, daysShown).map((day) => (
        <li key={day.day}>{goingText(day, dates)}.</li>
      ))}
      {rest > 0 && <li className="text-ink-2">{countText(rest)} more after that.</li>}
    </ul>
  )
}
