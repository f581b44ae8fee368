import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../base/api/query-client.ts'
import { createSampleFile, moveProgress, setDelay, setWebhookFailing } from '../../base/api/sandbox-tools.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Select } from '../../base/ui/select.tsx'
import { Switch } from '../../base/ui/switch.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileRow } from '../../signed-in/library/library-rows.ts'
import { useLibrary } from '../../signed-in/library/use-live.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

/** Produces every state of the API in a minute, for developers of client programs. Sandbox only. */
export function SandboxSection() {
  return (
    <Section
      id="sandbox"
      title="Sandbox tools"
      words="Sample files at any progress, a failing webhook: what your program must handle. Declined cards are under Payment."
    >
      <SampleForm />
      <FileForm />
      <WebhookForm />
    </Section>
  )
}

const rowClass = 'grid gap-3 border-t border-line pt-3'

function NumberField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <div className="w-32">
      <Field label={label} inputMode="decimal" value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  )
}

function SampleForm() {
  const session = useSession()
  const [minutes, setMinutes] = useState('10')
  const [percent, setPercent] = useState('40')
  const make = useMutation({
    mutationFn: () => createSampleFile(session, { seconds: Number(minutes) * 60, progress_percent: Number(percent) }),
    onSuccess: () => showToast({ tone: 'ok', title: 'Sample file created' }),
  })
  return (
    <div className={rowClass}>
      <div className="flex flex-wrap items-end gap-3">
        <NumberField label="Length, minutes" value={minutes} onChange={setMinutes} />
        <NumberField label="Progress, %" value={percent} onChange={setPercent} />
        <Button onClick={() => make.mutate()} disabled={make.isPending}>
          Create sample file
        </Button>
      </div>
      {make.error && <Notice tone="bad">{make.error.message}</Notice>}
    </div>
  )
}

/** An unfinished file as an option; empty if it is finished or not read. */
function toOption({ id, record }: FileRow): { value: string; label: string }[] {
  if (!record || record.percent === 100) return []
  return [{ value: id, label: `${record.metadata.name} · ${record.percent}%` }]
}

function FileForm() {
  const session = useSession()
  const { rows } = useLibrary().snapshot
  const options = rows.slice(0, 50).flatMap(toOption)
  const [chosen, setChosen] = useState('')
  const [percent, setPercent] = useState('60')
  const id = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? '')
  const move = useMutation({ mutationFn: () => moveProgress(session, id, Number(percent)) })
  const delay = useMutation({ mutationFn: (reason: string | null) => setDelay(session, id, reason) })
  const problem = move.error ?? delay.error
  return (
    <div className={rowClass}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="grid gap-1.5">
          <span className="font-medium">File in progress</span>
          <Select
            label="File in progress"
            value={id}
            disabled={options.length === 0}
            options={options}
            onChange={setChosen}
            className="w-64"
          />
        </div>
        <NumberField label="New progress, %" value={percent} onChange={setPercent} />
        <Button onClick={() => move.mutate()} disabled={id === '' || move.isPending}>
          Set progress
        </Button>
      </div>
      <p className="text-sm text-ink-3">
        Setting the progress also triggers the webhook, as any change of progress does.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => delay.mutate('Poor audio')} disabled={id === '' || delay.isPending}>
          Mark as delayed
        </Button>
        <Button onClick={() => delay.mutate(null)} disabled={id === '' || delay.isPending}>
          Remove delay
        </Button>
      </div>
      {problem && <Notice tone="bad">{problem.message}</Notice>}
    </div>
  )
}

function WebhookForm() {
  const session = useSession()
  const { data } = useQuery(webhooks.endpoint(session))
  const change = useMutation({
    mutationFn: (isFailing: boolean) => setWebhookFailing(session, isFailing),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooks.all(session) }),
  })
  const webhook = data?.webhook
  return (
    <div className={rowClass}>
      <Switch
        label="Every webhook delivery fails"
        note={webhook ? '· nothing is sent while this is on' : '· save an endpoint first'}
        checked={webhook?.simulate_failure ?? false}
        disabled={!webhook}
        onChange={(isFailing) => change.mutate(isFailing)}
      />
      {change.error && <Notice tone="bad">{change.error.message}</Notice>}
    </div>
  )
}
