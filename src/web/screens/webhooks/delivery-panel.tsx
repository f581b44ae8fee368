import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type DeliveryDetail, type DeliveryTry, maxStoredTries } from '../../../contract/account/webhooks.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { redeliver, webhooks } from '../../base/api/webhooks.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { CodeText } from '../../base/ui/code-text.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Pill } from '../../base/ui/pill.tsx'
import { countText } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useMedia } from '../../base/ui/use-media.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'

type Props = { id: string; onClose: () => void }

/**
 * The attempts of one delivery, newest first and expanded: requests and responses, as text. A dialog on narrow windows.
 */
export function DeliveryPanel({ id, onClose }: Props) {
  const session = useSession()
  const { data, error } = useQuery(webhooks.delivery(session, id))
  const resend = useMutation({
    mutationFn: () => redeliver(session, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooks.all(session) }),
  })
  const problem = error ?? resend.error
  const isNarrow = useMedia('(width < 80rem)')
  const resendButton = (
    <Changes>
      <Button size="sm" onClick={() => resend.mutate()} disabled={resend.isPending || data?.state === 'sending'}>
        Resend
      </Button>
    </Changes>
  )
  const content = (
    <>
      {problem && <Notice tone="bad">{problem.message}</Notice>}
      {data ? <Tries delivery={data} /> : !error && <Skeleton className="h-40" />}
    </>
  )
  if (isNarrow) {
    return (
      <Dialog open onClose={onClose} title="Delivery" width="md" actions={resendButton}>
        {content}
      </Dialog>
    )
  }
  return (
    <SidePanel actions={resendButton} onClose={onClose}>
      {content}
    </SidePanel>
  )
}

type PanelProps = { actions: ReactNode; onClose: () => void; children: ReactNode }

function SidePanel({ actions, onClose, children }: PanelProps) {
  return (
    <Card className="sticky top-4 grid max-h-[calc(100dvh-2rem)] gap-3 overflow-y-auto p-4.5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-md font-semibold">Delivery</h2>
        <div className="flex items-center gap-1">
          {actions}
          <IconButton label="Close delivery" tooltip={false} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
      </div>
      {children}
    </Card>
  )
}

function Tries({ delivery }: { delivery: DeliveryDetail }) {
  const { tries, attempts, state, error, next_attempt: next } = delivery
  const newest = tries[0]
  const dates = useDates()
  return (
    <>
      {next && state === 'waiting' && attempts > 0 && (
        <p className="text-sm text-ink-2">Next attempt {dates.moment(Date.parse(next))}.</p>
      )}
      {!newest && <p className="text-sm text-ink-2">{state === 'failed' && error ? error : 'Not sent yet.'}</p>}
      {newest && error && error !== newest.error && <p className="text-sm text-bad">{error}</p>}
      <ol className="grid">
        {tries.map((each) => (
          <li key={each.number} className="border-t border-line first:border-t-0">
            <Try of={each} isNewest={each === newest} />
          </li>
        ))}
      </ol>
      {attempts > tries.length && (
        <p className="text-xs text-ink-3">
          Showing the last {maxStoredTries} of {countText(attempts)} attempts.
        </p>
      )}
    </>
  )
}

function Try({ of, isNewest }: { of: DeliveryTry; isNewest: boolean }) {
  const dates = useDates()
  const { number, at, status, ms, error, request, response } = of
  return (
    <details open={isNewest} className="group grid gap-3 py-2">
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-sm text-sm">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3 group-open:rotate-90" />
        <span className="font-medium whitespace-nowrap">Attempt {number}</span>
        <span className="min-w-0 flex-1 text-ink-2 tabular-nums">{dates.moment(Date.parse(at))}</span>
        <Pill tone={error === null ? 'ok' : 'bad'}>
          {status ?? 'no response'} · {countText(ms)} ms
        </Pill>
      </summary>
      <div className="grid gap-3 pt-2 pb-1">
        {error && <p className="text-sm text-bad">{error}</p>}
        <Message title="Request" message={request} />
        {response && (
          <Message
            title="Response"
            message={response}
            note={of.response_truncated ? 'Truncated: only the beginning is stored.' : undefined}
          />
        )}
      </div>
    </details>
  )
}

type MessageProps = { title: string; message: DeliveryTry['request']; note?: string | undefined }

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
