import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEntry, WebhookOverview } from '../../../contract/account/webhooks.ts'
import { pauseWebhook, removeWebhook, rotateSecret } from '../../base/api/webhooks.ts'
import { Button } from '../../base/ui/button.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

type OnChanged = (overview: WebhookOverview) => void
type Props = { webhook: WebhookEntry; onChanged: OnChanged }

/** Actions on a configured endpoint: rotate the secret, pause, remove. */
export function EndpointActions({ webhook, onChanged }: Props) {
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
