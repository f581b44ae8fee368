import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WebhookEntry, WebhookOverview } from '../../../contract/account/webhooks.ts'
import { queryClient } from '../../base/api/query-client.ts'
import {
  pauseWebhook,
  removeWebhook,
  rotateSecret,
  sendTestEvent,
  setWebhook,
  webhooks,
} from '../../base/api/webhooks.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { OnceShown } from '../../base/ui/once-shown.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

/** The webhook URL, its secret, a test event, pause. Errors are shown next to the control that caused them. */
export function EndpointCard({ webhook }: { webhook: WebhookEntry | null }) {
  const session = useSession()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const onChanged = (overview: WebhookOverview) => {
    if (overview.secret) setSecret(overview.secret)
    setUrl(overview.webhook?.url ?? '')
    queryClient.setQueryData(webhooks.endpoint(session).queryKey, { webhook: overview.webhook })
  }
  return (
    <Card className="grid gap-3 p-4.5">
      {webhook?.paused && <PausedNotice since={webhook.paused} reason={webhook.pause_reason} onResumed={onChanged} />}
      <AddressForm url={url} isSaved={webhook !== null} onType={setUrl} onSaved={onChanged} />
      {webhook && <EndpointActions webhook={webhook} onChanged={onChanged} />}
      <OnceShown
        value={secret}
        title="Signing secret"
        words="It is shown only once. Store it where your program reads its secrets."
        fileName="parley-webhook-secret.txt"
        onClose={() => setSecret(null)}
      />
    </Card>
  )
}

type PausedProps = { since: string; reason: string | null; onResumed: (overview: WebhookOverview) => void }

function PausedNotice({ since, reason, onResumed }: PausedProps) {
  const session = useSession()
  const dates = useDates()
  const resume = useMutation({ mutationFn: () => pauseWebhook(session, false), onSuccess: onResumed })
  return (
    <>
      <Notice
        tone="warn"
        action={
          <Button size="sm" onClick={() => resume.mutate()} disabled={resume.isPending}>
            Resume
          </Button>
        }
      >
        Paused {dates.moment(Date.parse(since))}. {reason ?? 'No events are sent while paused.'}
      </Notice>
      {resume.error && <Notice tone="bad">{resume.error.message}</Notice>}
    </>
  )
}

type AddressProps = {
  url: string
  /** an endpoint is configured, so a test event can be sent */
  isSaved: boolean
  onType: (url: string) => void
  onSaved: (overview: WebhookOverview) => void
}

function AddressForm({ url, isSaved, onType, onSaved }: AddressProps) {
  const session = useSession()
  const save = useMutation({ mutationFn: () => setWebhook(session, url.trim()), onSuccess: onSaved })
  const test = useMutation({
    mutationFn: () => sendTestEvent(session),
    onSuccess: () => {
      announce('Test event queued')
      void queryClient.invalidateQueries({ queryKey: webhooks.all(session) })
    },
  })
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }
  return (
    <>
      <form noValidate onSubmit={onSubmit} className="flex items-start gap-2.5 phone:grid">
        <AddressField
          value={url}
          error={save.error}
          onType={(typed) => {
            save.reset()
            onType(typed)
          }}
        />
        <div className="mt-7 flex gap-2.5 phone:mt-0">
          <Button onClick={() => test.mutate()} disabled={!isSaved || test.isPending}>
            Send test event
          </Button>
          <Button type="submit" variant="primary" disabled={url.trim() === '' || save.isPending}>
            Save
          </Button>
        </div>
      </form>
      {test.error && <Notice tone="bad">{test.error.message}</Notice>}
    </>
  )
}

function AddressField({
  value,
  error,
  onType,
}: {
  value: string
  error: Error | null
  onType: AddressProps['onType']
}) {
  return (
    <div className="min-w-0 flex-1">
      <Field
        label="Endpoint"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://…"
        value={value}
        error={error?.message}
        onChange={(event) => onType(event.target.value)}
        className="font-mono text-sm"
      />
    </div>
  )
}

type OnChanged = (overview: WebhookOverview) => void
type Props = { webhook: WebhookEntry; onChanged: OnChanged }

/** Actions on a configured endpoint: rotate the secret, pause, remove. */
function EndpointActions({ webhook, onChanged }: Props) {
  const session = useSession()
  const dates = useDates()
  const [asking, setAsking] = useState<AskProps['to'] | null>(null)
  const pause = useMutation({ mutationFn: () => pauseWebhook(session, true), onSuccess: onChanged })
  return (
    <>
      {pause.error && <Notice tone="bad">{pause.error.message}</Notice>}
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
        <p className="text-sm text-ink-2">
          {webhook.previous_secret_until
            ? `The previous secret also works until ${dates.moment(Date.parse(webhook.previous_secret_until))}.`
            : 'Every event is signed with the endpoint’s secret.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setAsking('rotate')}>
            Rotate secret…
          </Button>
          {!webhook.paused && (
            <Button size="sm" onClick={() => pause.mutate()} disabled={pause.isPending}>
              Pause
            </Button>
          )}
          <Button size="sm" variant="danger-outline" onClick={() => setAsking('remove')}>
            Remove…
          </Button>
        </div>
      </div>
      {asking && <AskFirst to={asking} onClose={() => setAsking(null)} onChanged={onChanged} />}
    </>
  )
}

type AskProps = { to: 'rotate' | 'remove'; onClose: () => void; onChanged: OnChanged }

function AskFirst({ to, onClose, onChanged }: AskProps) {
  const session = useSession()
  if (to === 'rotate') {
    return (
      <FormDialog
        title="Rotate the secret?"
        description="Events are signed with both the old and the new secret for 24 hours, so that you can switch without missing any."
        submit="Rotate secret"
        onSubmit={() => rotateSecret(session).then(onChanged)}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Remove this endpoint?"
      description="Pending deliveries will not be sent. Past deliveries stay listed."
      submit="Remove"
      isDanger
      onSubmit={() => removeWebhook(session).then(() => onChanged({ webhook: null }))}
      onClose={onClose}
    />
  )
}
