import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WebhookEntry, WebhookOverview } from '../../contract/account-webhooks.ts'
import { queryClient } from '../api/query-client.ts'
import { pauseWebhook, removeWebhook, rotateSecret, sendTestEvent, setWebhook, webhooks } from '../api/webhooks.ts'
import { useDates } from '../preferences/preferences.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { OnceShown } from '../ui/once-shown.tsx'
import { showToast } from '../ui/toast.tsx'

type Asking = 'rotate' | 'remove' | null

/** The address that events go to, its secret, a test event, pause. What is wrong with an address is told at the field. */
export function EndpointCard({ webhook }: { webhook: WebhookEntry | null }) {
  const session = useSession()
  const dates = useDates()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const [asking, setAsking] = useState<Asking>(null)
  const take = (overview: WebhookOverview) => {
    if (overview.secret) setSecret(overview.secret)
    setUrl(overview.webhook?.url ?? '')
    queryClient.setQueryData(webhooks.endpoint(session).queryKey, { webhook: overview.webhook })
  }
  const save = useMutation({ mutationFn: () => setWebhook(session, url.trim()), onSuccess: take })
  const rotate = useMutation({
    mutationFn: () => rotateSecret(session),
    onSuccess: take,
    onSettled: () => setAsking(null),
  })
  const pause = useMutation({ mutationFn: (paused: boolean) => pauseWebhook(session, paused), onSuccess: take })
  const remove = useMutation({
    mutationFn: () => removeWebhook(session),
    onSuccess: () => take({ webhook: null }),
    onSettled: () => setAsking(null),
  })
  const test = useMutation({
    mutationFn: () => sendTestEvent(session),
    onSuccess: () => {
      showToast({ tone: 'ok', title: 'Test event queued', detail: 'Its answer shows below.' })
      void queryClient.invalidateQueries({ queryKey: webhooks.all(session) })
    },
  })
  const problem = rotate.error ?? pause.error ?? remove.error ?? test.error

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }

  return (
    <Card className="grid gap-3 p-4.5">
      {webhook?.paused && (
        <Notice
          tone="warn"
          action={
            <Button size="sm" onClick={() => pause.mutate(false)} disabled={pause.isPending}>
              Resume
            </Button>
          }
        >
          Paused {dates.moment(Date.parse(webhook.paused))}.{' '}
          {webhook.pause_reason ?? 'Changes of progress are not told until it resumes.'}
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="flex items-start gap-2.5 phone:grid">
        <div className="min-w-0 flex-1">
          <Field
            label="Endpoint"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://…"
            value={url}
            error={save.error?.message}
            onChange={(event) => setUrl(event.target.value)}
            className="font-mono text-sm"
          />
        </div>
        <div className="mt-7 flex gap-2.5 phone:mt-0">
          <Button onClick={() => test.mutate()} disabled={webhook === null || test.isPending}>
            Send a test event
          </Button>
          <Button type="submit" variant="primary" disabled={url.trim() === '' || save.isPending}>
            Save
          </Button>
        </div>
      </form>
      {problem && <Notice tone="bad">{problem.message}</Notice>}
      {webhook && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
          <p className="text-sm text-ink-2">
            {webhook.previous_secret_until
              ? `The secret before this one also signs until ${dates.moment(Date.parse(webhook.previous_secret_until))}.`
              : 'Every event is signed with the endpoint’s secret.'}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setAsking('rotate')}>
              New secret …
            </Button>
            {!webhook.paused && (
              <Button size="sm" onClick={() => pause.mutate(true)} disabled={pause.isPending}>
                Pause
              </Button>
            )}
            <Button size="sm" variant="danger-outline" onClick={() => setAsking('remove')}>
              Remove …
            </Button>
          </div>
        </div>
      )}
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'rotate' ? 'Make a new secret?' : 'Remove this endpoint?'}
        description={
          asking === 'rotate'
            ? 'Events are signed with both secrets for 24 hours, so that you can change it without missing one.'
            : 'Waiting deliveries are not sent any more. The list of past ones stays.'
        }
        actions={
          <>
            <Button onClick={() => setAsking(null)}>Cancel</Button>
            {asking === 'rotate' ? (
              <Button variant="primary" onClick={() => rotate.mutate()} disabled={rotate.isPending}>
                Make a new secret
              </Button>
            ) : (
              <Button variant="danger" onClick={() => remove.mutate()} disabled={remove.isPending}>
                Remove
              </Button>
            )}
          </>
        }
      />
      <OnceShown
        value={secret}
        title="The endpoint’s secret"
        words="It is shown this once. Keep it where your program reads its secrets."
        fileName="parley-webhook-secret.txt"
        onClose={() => setSecret(null)}
      />
    </Card>
  )
}
