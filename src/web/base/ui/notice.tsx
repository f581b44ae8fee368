import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

const tones = {
  plain: { look: 'border-line bg-sunken text-ink', icon: Info },
  ok: { look: 'border-ok/30 bg-ok-soft text-ok', icon: CircleCheck },
  warn: { look: 'border-warn/30 bg-warn-soft text-warn', icon: TriangleAlert },
  bad: { look: 'border-bad/30 bg-bad-soft text-bad', icon: CircleAlert },
}

type Props = { tone?: keyof typeof tones; children: ReactNode; action?: ReactNode }

/** An inline message. Errors are announced to screen readers. */
export function Notice({ tone = 'plain', children, action }: Props) {
  const { look, icon: Icon } = tones[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-[10px] border px-3 py-2 ${look}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}

type UnreadNoticeProps = { what: string; error: Error; onAgain: () => void }

/** A part of the page failed to load: why, and a retry. `what` begins the sentence: "The usage". */
export function UnreadNotice({ what, error, onAgain }: UnreadNoticeProps) {
  return (
    <Notice
      tone="bad"
      action={
        <Button size="sm" onClick={onAgain}>
          Try again
        </Button>
      }
    >
      {what} could not be loaded. {error.message}
    </Notice>
  )
}
