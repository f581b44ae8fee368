import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Coffee } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NewClaim, QueueEntry } from '../../contract/work/parts.ts'
import { stepsOfRole, type WorkStep } from '../../contract/work/staff.ts'
import { takePart, work } from '../base/api/work.ts'
import { Button, buttonClass } from '../base/ui/button.tsx'
import { Card } from '../base/ui/card.tsx'
import { EmptyState } from '../base/ui/empty-state.tsx'
import { Kbd } from '../base/ui/kbd.tsx'
import { Notice } from '../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../base/ui/page-header.tsx'
import { Segmented } from '../base/ui/segmented.tsx'
import { countText } from '../base/ui/sizes.ts'
import { Skeleton } from '../base/ui/skeleton.tsx'
import { MoreRows, TableHeadings, tableClass } from '../base/ui/table.tsx'
import { stepWords } from './part-words.ts'
import { QueueRow, queueColumns } from './queue-row.tsx'
import { useStaff } from './staff-session.ts'

/** The available parts (`/work`): take one of them, or the next. */
export function QueuePage() {
  const { session, staff } = useStaff()
  const steps = stepsOfRole[staff.role]
  const [step, setStep] = useState<WorkStep | null>(null)
  const queue = useInfiniteQuery(work.queue(session, step))
  const take = useTaking()
  const parts = queue.data?.pages.flatMap((page) => page.parts) ?? []
  const total = queue.data?.pages[0]?.total
  const takeNext = () => take.mutate({ part: null, ...(step !== null && { step }) })
  const navigate = useNavigate()
  const [held] = staff.held
  const goOn = held && (() => void navigate(`/parts/${held.part}`))
  useNextKey(goOn ?? (parts.length > 0 && !take.isPending ? takeNext : null))
  useEffect(() => {
    document.title = 'Queue · Parley work'
  }, [])
  return (
    <div className={`${pageClass} mx-auto max-w-6xl`}>
      <PageHeader
        title="Queue"
        subtitle={total === undefined ? 'Reading what there is to do…' : countOfParts(total)}
        actions={
          <>
            {steps.length > 1 && <StepChoice steps={steps} step={step} onChange={setStep} />}
            <Button variant="primary" disabled={parts.length === 0 || take.isPending} onClick={takeNext}>
              Take the next one {held === undefined && <NextKey />}
            </Button>
          </>
        }
      />
      <HeldParts />
      {take.error && <Notice tone="bad">{take.error.message}</Notice>}
      {queue.error && (
        <Notice tone="warn" action={<Button onClick={() => void queue.refetch()}>Try again</Button>}>
          {queue.error.message} {parts.length > 0 && 'This is the queue as it was read last.'}
        </Notice>
      )}
      {queue.isPending && queue.error === null && <Skeleton className="h-40" />}
      {total === 0 && (
        <EmptyState icon={<Coffee aria-hidden />} title="There is nothing to take at the moment">
          New parts appear here by themselves. Parts that others hold are not shown.
        </EmptyState>
      )}
      {parts.length > 0 && (
        <Card>
          <QueueTable parts={parts} isTaking={take.isPending} onTake={(part) => take.mutate({ part })} />
          {queue.hasNextPage && (
            <MoreRows isReading={queue.isFetchingNextPage} onMore={() => void queue.fetchNextPage()} />
          )}
        </Card>
      )}
    </div>
  )
}

function countOfParts(total: number): string {
  if (total === 0) return 'No part may be taken now'
  if (total === 1) return '1 part may be taken, by you too'
  return `${countText(total)} parts may be taken, what is due first at the top`
}

function StepChoice({ steps, step, onChange }: StepChoiceProps) {
  const options = [
    { value: 'all' as const, label: 'All' },
    ...steps.map((value) => ({ value, label: stepWords[value] })),
  ]
  return (
    <Segmented
      label="Step"
      value={step ?? 'all'}
      options={options}
      onChange={(value) => onChange(value === 'all' ? null : value)}
    />
  )
}
type StepChoiceProps = { steps: readonly WorkStep[]; step: WorkStep | null; onChange: (step: WorkStep | null) => void }

/** Takes a part and opens it. Removes it from the list if somebody else has taken it in the meantime. */
function useTaking() {
  const { session } = useStaff()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (wanted: NewClaim) => takePart(session, wanted),
    onSuccess: async ({ part }) => {
      await client.invalidateQueries({ queryKey: work.staff(session).queryKey })
      void navigate(`/parts/${part}`)
    },
    onSettled: () => client.invalidateQueries({ queryKey: [...work.all(session), 'queue'] }),
  })
}

const NextKey = () => (
  <span className="phone:hidden">
    <Kbd>T</Kbd>
  </span>
)

/** T takes the next part, or goes on with the one that is held. */
function useNextKey(takeNext: (() => void) | null): void {
  useEffect(() => {
    if (takeNext === null) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest('input:not([type="radio"]), select, [role="dialog"]')
      if (event.key !== 't' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return
      event.preventDefault()
      takeNext()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [takeNext])
}

/** The parts that the user already holds, to continue with. */
function HeldParts() {
  const { staff } = useStaff()
  if (staff.held.length === 0) return null
  return (
    <Notice
      action={staff.held.map(({ part }, index) => (
        <Link key={part} to={`/parts/${part}`} className={buttonClass('primary', 'sm')}>
          {staff.held.length === 1 ? 'Go on with it' : `Go on with ${index + 1}`} {index === 0 && <NextKey />}
        </Link>
      ))}
    >
      {staff.held.length === 1 ? 'You hold a part.' : `You hold ${staff.held.length} parts.`} It is yours until its time
      runs out.
    </Notice>
  )
}

type TableProps = { parts: readonly QueueEntry[]; isTaking: boolean; onTake: (part: string) => void }

function QueueTable({ parts, isTaking, onTake }: TableProps) {
  return (
    <table className={tableClass} onKeyDown={moveBetweenRows}>
      <caption className="sr-only">Parts that may be taken. The arrow keys go from one to the next.</caption>
      <TableHeadings columns={queueColumns} />
      <tbody>
        {parts.map((part) => (
          <QueueRow key={part.id} part={part} isTaking={isTaking} onTake={onTake} />
        ))}
      </tbody>
    </table>
  )
}

/** Up and down move the focus to the button of the previous or next row. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('tbody button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  if (at === -1) return
  event.preventDefault()
  buttons[at + by]?.focus()
}
