import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AccountOverview } from '../../../../contract/account/account.ts'
import type { BudgetPer } from '../../../../contract/account/balance.ts'
import { maxProjectName, type Project } from '../../../../contract/account/projects.ts'
import type { RetentionRule, RetentionState } from '../../../../contract/account/retention.ts'
import type { OrderOptions } from '../../../../contract/interface/option-values.ts'
import { centsToDecimal } from '../../../../contract/interface/price.ts'
import { account } from '../../../base/api/account.ts'
import { readPresets } from '../../../base/api/presets.ts'
import { changeProject } from '../../../base/api/projects.ts'
import { retentionQuery } from '../../../base/api/retention-rules.ts'
import { useSettings } from '../../../base/api/settings.ts'
import { BudgetPeriod } from '../../../base/ui/budget-period.tsx'
import { Button } from '../../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../../base/ui/checkbox.tsx'
import { Field } from '../../../base/ui/field.tsx'
import { FormDialog } from '../../../base/ui/form-dialog.tsx'
import { readCents } from '../../../base/ui/read-cents.ts'
import { Select } from '../../../base/ui/select.tsx'
import { showToast } from '../../../base/ui/toast.tsx'
import { OptionsPanel } from '../../../signed-in/options/options-panel.tsx'
import { readPriceBook } from '../../../signed-in/options/price-book.ts'
import { type Asked, ConfirmRuleDialog, periodsText, RuleDialog } from '../../../signed-in/options/rule-dialogs.tsx'
import { useSession } from '../../../signed-in/session/session.ts'

/** All that is set for a project: name, budget, when its files are deleted, and the defaults of its orders. */
export function ProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const session = useSession()
  const { data: overview } = useQuery(account.overview(session))
  const [name, setName] = useState(project.name)
  const [budget, setBudget] = useState(project.budget_cents === null ? '' : centsToDecimal(project.budget_cents))
  const [per, setPer] = useState<BudgetPer>(project.budget_per ?? 'all')
  const [options, setOptions] = useState(project.options)
  const [preset, setPreset] = useState(project.preset ?? '')
  const [rule, setRule] = useState<RetentionRule | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data: retention } = useQuery({ ...retentionQuery(session), enabled: overview?.features.retention === true })
  const isAmount = budget.trim() === '' || readCents(budget) > 0
  const save = async () => {
    const budget_cents = budget.trim() === '' ? null : readCents(budget)
    const named = name === project.name ? {} : { name }
    const before = await changeProject(session, project.id, {
      ...named,
      budget_cents,
      ...(budget_cents !== null && { budget_per: per }),
      options,
      preset: preset || null,
    })
    if (before !== project.name && name !== project.name) {
      showToast({ title: 'Renamed', detail: `Somebody had renamed it to “${before}” meanwhile.` })
    }
  }
  return (
    <>
      <FormDialog
        // What is filled in stays while the rule is changed.
        open={rule === null && asked === null}
        title="Project settings"
        submit="Save"
        isReady={name.trim() !== '' && isAmount}
        onSubmit={save}
        onClose={onClose}
      >
        <Field label="Name" value={name} maxLength={maxProjectName} onChange={({ target }) => setName(target.value)} />
        <Field
          label={`Budget${overview ? `, ${overview.currency}` : ''}`}
          inputMode="decimal"
          autoComplete="off"
          value={budget}
          hint="Orders that go over it are refused unless you agree. Leave it empty for none."
          error={isAmount ? null : 'Enter 0.01 to 9,999,999.99.'}
          onChange={({ target }) => setBudget(target.value)}
        />
        {budget.trim() !== '' && <BudgetPeriod value={per} onChange={setPer} />}
        <VocabularySelect value={preset} onChange={setPreset} />
        {retention && <OwnRule project={project} retention={retention} onChange={setRule} />}
        {overview && <OwnOptions overview={overview} options={options} onChange={setOptions} />}
      </FormDialog>
      {retention && rule && <RuleDialog known={retention} rule={rule} onAsk={setAsked} onClose={() => setRule(null)} />}
      {asked && <ConfirmRuleDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type RuleProps = { project: Project; retention: RetentionState; onChange: (rule: RetentionRule) => void }

/** When its recordings and files are deleted: by a rule of its own, else by that of all files. */
function OwnRule({ project, retention, onChange }: RuleProps) {
  const { environment } = useSession()
  const own = retention.rules.find(({ scope, target }) => scope === 'project' && target === project.id)
  const general = retention.rules.find(({ scope }) => scope === 'account')
  const none = {
    scope: 'project',
    target: project.id,
    name: project.name,
    recording_days: null,
    all_days: null,
  } as const
  return (
    <div className="grid gap-1.5">
      <span className="font-medium">Automatic deletion</span>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-ink-2">
          {own ? periodsText(own) : `As for all files: ${general ? periodsText(general) : 'nothing is deleted'}`}
        </span>
        <Button size="sm" onClick={() => onChange(own ?? none)}>
          {own ? 'Change rule…' : 'Set a rule…'}
        </Button>
      </div>
      <Link
        to={`/${environment}/settings/account#retention`}
        className="w-fit text-sm text-ink-2 underline underline-offset-2"
      >
        All rules
      </Link>
    </div>
  )
}

/** The vocabulary of its orders in addition to the account's: that of a preset. */
function VocabularySelect({ value, onChange }: { value: string; onChange: (preset: string) => void }) {
  const names = readPresets(useSettings(useSession())).map(({ name }) => name)
  const all = [...new Set([...names, ...(value === '' ? [] : [value])])]
  if (all.length === 0) return null
  return (
    <div className="grid justify-items-start gap-1.5">
      <span className="font-medium">Vocabulary</span>
      <Select
        label="Vocabulary"
        value={value}
        options={[
          { value: '', label: 'Of the account' },
          ...all.map((name) => ({ value: name, label: `Also of ${name}` })),
        ]}
        onChange={onChange}
      />
    </div>
  )
}

type OptionsProps = {
  overview: AccountOverview
  options: Project['options']
  onChange: (options: OrderOptions | null) => void
}

/** Options and speakers' names that the order page applies when the project is chosen. */
function OwnOptions({ overview, options, onChange }: OptionsProps) {
  const all = { ...overview.default_options, ...options } as OrderOptions
  return (
    <div className="grid gap-3">
      <LabelledCheckbox
        label="Use other options in this project"
        checked={options !== null}
        onChange={({ target }) => onChange(target.checked ? all : null)}
      />
      {options !== null && (
        <OptionsPanel
          options={all}
          book={readPriceBook(overview)}
          suggestions={[]}
          overview={overview}
          onChange={(change) => onChange({ ...all, ...change })}
        />
      )}
    </div>
  )
}
