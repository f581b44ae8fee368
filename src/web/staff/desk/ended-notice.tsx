import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { takePart, work } from '../../base/api/work.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { isGone } from './hold.ts'
import { forgetPart, type PartDesk } from './part-desk.ts'

type Props = { open: PartDesk; words: string; isDeleted: boolean }

/**
 * Shown after the hold has ended: the typed text can still be read and copied, but is no longer sent. Of a deleted
 * order nothing is offered.
 */
export function EndedNotice({ open, words, isDeleted }: Props) {
  const { held, desk, correcting } = open
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: () => takePart(held.session, { part: held.part }),
    onSuccess: () => client.invalidateQueries({ queryKey: work.staff(held.session).queryKey }),
  })
  useEffect(() => {
    correcting.finish()
    return () => void forgetPart(open)
  }, [open, correcting])
  const copy = async () => {
    const { table } = desk.text.state.get()
    await navigator.clipboard.writeText(table.slice(0, table.count))
    showToast({ title: 'The text is copied' })
  }
  const mayContinue = !isDeleted && !isGone(again.error)
  return (
    <div className="px-7 pt-3 phone:px-4">
      <Notice tone="bad">
        {again.error?.message ?? words} Below is what you saw last; it cannot be changed any more.
        <div className="mt-2 flex flex-wrap gap-2">
          {mayContinue && <Button onClick={() => void copy()}>Copy the text</Button>}
          {mayContinue && (
            <Button disabled={again.isPending} onClick={() => again.mutate()}>
              Take it again
            </Button>
          )}
          <Link to="/" className={buttonClass('primary')}>
            To the queue
          </Link>
        </div>
      </Notice>
    </div>
  )
}
