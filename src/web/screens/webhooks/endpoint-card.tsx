import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WebhookEntry, WebhookOverview } from '../../../contract/account/webhooks.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { pauseWebhook, sendTestEvent, setWebhook, webhooks } from '../../base/api/webhooks.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { Field } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { OnceShown } from '../../base/ui/once-shown.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { EndpointActions } from './endpoint-actions.tsx'

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
        <AddressField value={url} error={save.error} onType={onType} />
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
