import { ListChecks } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DeskPart } from '../../../contract/work/parts.ts'
import { useSignal } from '../../base/state/signal.ts'
import { whenIdle } from '../../base/state/when-idle.ts'
import { Button } from '../../base/ui/button.tsx'
import { roughLength } from '../../base/ui/duration.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Later, later } from '../../base/ui/later.tsx'
import { dueWords, placeWords, stepWords, timeWords } from '../part-words.ts'
import type { DeskOverlay } from './desk-keys.ts'
import type { PartDesk } from './part-desk.ts'

const dialogs = later(() => import('./part-dialogs.tsx'))

type Props = {
  open: PartDesk
  part: DeskPart
  ticked: readonly string[]
  onTick: (id: string, isTicked: boolean) => void
  overlay: DeskOverlay | null
  show: (overlay: DeskOverlay | null) => void
  onPanel: (() => void) | null
}

/** Identifies the part, shows how long it is held, and has the actions that end the hold. */
export function DeskHeader({ open, part, ticked, onTick, overlay, show, onPanel }: Props) {
  const { ended } = useSignal(open.hold.state)
  const { step } = part.part
  // Needed once a part, at its end: neither the first words nor a lost connection then should wait for them.
  useEffect(() => whenIdle(() => void dialogs.load()), [])
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-5 py-2.5 phone:px-3">
      <div className="mr-auto min-w-0">
        <h1 className="truncate text-md font-semibold">
          {stepWords[step]}: {placeWords(part.part)}
        </h1>
        <p className="truncate text-sm text-ink-3 tabular-nums">
          Order {part.part.order} · {timeWords(part.part)} of the recording · due {dueWords(part.part.due, Date.now())}
        </p>
      </div>
      <Status open={open} />
      <div className="flex items-center gap-2">
        {onPanel !== null && (
          <IconButton label="Instructions" onClick={onPanel}>
            <ListChecks aria-hidden />
          </IconButton>
        )}
        {ended === null && (
          <>
            <Button onClick={() => show('return')}>Give back</Button>
            {(step === 'review' || part.parts.length > 0) && (
              <Button onClick={() => show('reopen')}>{step === 'review' ? 'Send back' : 'Send a part back'}</Button>
            )}
            <Button variant="primary" onClick={() => show('finish')}>
              Finish
            </Button>
          </>
        )}
      </div>
      <Later wanted={overlay !== null && overlay !== 'find' && overlay !== 'keys'}>
        <EndDialogs {...{ open, part, ticked, onTick, overlay }} onClose={() => show(null)} />
      </Later>
    </header>
  )
}

type EndProps = Pick<Props, 'open' | 'part' | 'ticked' | 'onTick' | 'overlay'> & { onClose: () => void }

function EndDialogs({ open, part, ticked, onTick, overlay, onClose }: EndProps) {
  const { FinishDialog, ReturnDialog, ReopenDialog } = dialogs.use()
  if (overlay === 'finish') return <FinishDialog {...{ open, part, ticked, onTick, onClose }} />
  if (overlay === 'return') return <ReturnDialog {...{ open, onClose }} />
  return overlay === 'reopen' && <ReopenDialog {...{ open, part, onClose }} />
}

/** Whether everything is saved, and when the hold expires if it is not renewed. */
function Status({ open: { hold, corrections } }: Pick<Props, 'open'>) {
  const { until, problem, ended } = useSignal(hold.state)
  const where = useSignal(corrections.where)
  const { saved } = useSignal(corrections.state)
  const now = useNow()
  if (ended !== null) return null
  const isSaved = where.kind === 'kept' && saved !== 'saving'
  const words = where.kind === 'waiting' ? 'Saved in this browser only' : isSaved ? 'Saved' : 'Saving…'
  return (
    <p className={`text-sm tabular-nums ${problem === null ? 'text-ink-3' : 'text-warn'}`}>
      {problem !== null && `${problem} `}
      {saved === 'failed' ? 'Not saved: this browser has no room' : words} · yours for{' '}
      {roughLength((until - now) / 1_000)}
      <span className="phone:hidden">{problem === null ? ', longer while this page is open' : ''}</span>
    </p>
  )
}

/** The current time, updated every few seconds. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 5_000)
    return () => window.clearInterval(timer)
  }, [])
  return now
}
