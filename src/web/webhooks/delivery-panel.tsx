import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { DeliveryDetail } from '../../contract/account-webhooks.ts'
import { redeliver, webhooks } from '../api/webhooks.ts'
import { queryClient } from '../query-client.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CodeText } from '../ui/code-text.tsx'
import { momentText } from '../ui/dates.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Props = { id: string; onClose: () => void }

/** The last try of one delivery: what was sent, what came back. Text, never markup. */
export function DeliveryPanel({ id, onClose }: Props) {
  const session = useSession()
  const { data, error } = useQuery(webhooks.delivery(session, id))
  const again = useMutation({
    mutationFn: () => redeliver(session, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooks.all(session) }),
  })
  return (
    <Card className="sticky top-4 grid gap-3 p-4.5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-md font-semibold">Delivery</h2>
        <div className="flex items-center gap-1">
          <Button size="sm" onClick={() => again.mutate()} disabled={again.isPending || data?.state === 'sending'}>
            Send again
          </Button>
          <IconButton label="Close the delivery" tooltip={false} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
      </div>
      {(error ?? again.error) && <Notice tone="bad">{(error ?? again.error)?.message}</Notice>}
      {data ? <Detail delivery={data} /> : !error && <Skeleton className="h-40" />}
    </Card>
  )
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  const { request, response, error, response_ms: ms, next_attempt: next } = delivery
  return (
    <>
      {request ? <Message title="Request" message={request} /> : <p className="text-sm text-ink-2">Not sent yet.</p>}
      {response && (
        <Message
          title={`Answer · ${delivery.response_status ?? ''}${ms === null ? '' : ` in ${ms} ms`}`}
          message={response}
          note={delivery.response_truncated ? 'Longer than what is kept; this is its beginning.' : undefined}
        />
      )}
      {error && <p className="text-sm text-bad">{error}</p>}
      {next && delivery.state === 'waiting' && (
        <p className="text-sm text-ink-2">Next try {momentText(Date.parse(next))}.</p>
      )}
    </>
  )
}

type MessageProps = {
  title: string
  message: NonNullable<DeliveryDetail['request']>
  note?: string | undefined
}

function Message({ title, message, note }: MessageProps) {
  const head = [message.head, ...message.headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  return (
    <section className="grid min-w-0 gap-1.5">
      <h3 className="text-sm text-ink-2">{title}</h3>
      <CodeText className="max-h-72 break-all whitespace-pre-wrap">
        {message.body ? `${head}\n\n${message.body}` : head}
      </CodeText>
      {note && <p className="text-xs text-ink-3">{note}</p>}
    </section>
  )
}
