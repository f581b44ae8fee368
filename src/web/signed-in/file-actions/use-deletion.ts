import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { account } from '../../base/api/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileLibrary } from '../library/library.ts'
import { useSession } from '../session/session.ts'
import { type DeleteResult, deleteFiles } from './delete-files.ts'
import { calculateRefund, planDeletion } from './deletion-plan.ts'
import { rowOrPage } from './row-or-page.ts'
import { sumsText } from './totals.ts'

/** Where refunds of the account go, and when. */
export function useRefundWords(): string {
  const { data: overview } = useQuery(account.overview(useSession()))
  return overview?.balance?.refunds_to === 'balance' ? 'to your balance at once' : 'on the next business day'
}

/** What a deletion that was refused would refund by now: more of these transcripts was done than was shown. */
function readSmallerRefunds(results: readonly DeleteResult[]): Map<string, number> {
  return new Map(results.flatMap(({ record, refundCents }) => (refundCents === null ? [] : [[record.id, refundCents]])))
}

/** Plans to delete files, deletes them, and collects each result. Calls `onDone` if all of them are deleted. */
export function useDeletion(library: FileLibrary, records: readonly FileRecord[], onDone: () => void) {
  const session = useSession()
  const when = useRefundWords()
  // The question does not change while open, although progress may: the service then refuses, and it is asked again.
  const [plan, setPlan] = useState(() => planDeletion(records))
  const [smaller, setSmaller] = useState<ReadonlyMap<string, number>>(new Map())
  const [results, setResults] = useState<readonly DeleteResult[]>([])
  const refundOf = (record: FileRecord) => smaller.get(record.id) ?? calculateRefund(record)
  const deleted = useRef<FileRecord[]>([])
  const isDone = useRef(false)
  const doomed = [...plan.refunded, ...plan.free]
  const remove = useMutation({
    mutationFn: async () => {
      const collected: DeleteResult[] = []
      await deleteFiles(session, library, doomed, refundOf, (result) => {
        collected.push(result)
        setResults([...collected])
      })
      return collected
    },
    onSuccess: (collected) => {
      const failed = collected.filter(({ problem }) => problem !== null)
      deleted.current.push(...collected.filter((each) => !failed.includes(each)).map(({ record }) => record))
      if (failed.length === 0) return finish()
      const shrunk = readSmallerRefunds(failed)
      if (shrunk.size < failed.length) return
      setSmaller(new Map([...smaller, ...shrunk]))
      const again = failed.map(({ record }) => record)
      const { refunded = [], free = [] } = Object.groupBy(again, ({ id }) => (shrunk.get(id) ? 'refunded' : 'free'))
      setPlan({ refunded, locked: [], free })
      remove.reset()
    },
  })
  const finish = () => {
    const refunded = deleted.current.filter((record) => refundOf(record) > 0)
    const detail = refunded.length > 0 && `${sumsText(refunded, refundOf)} will be refunded ${when}.`
    const title = `${formatCount(deleted.current.length, 'file')} deleted`
    showToast({ tone: 'ok', title, ...(detail && { detail }) })
    isDone.current = true
    onDone()
  }
  // The row that had focus is deleted.
  const finalFocus = () => (isDone.current ? rowOrPage() : null)
  return { plan, refundOf, isAskedAgain: smaller.size > 0, count: doomed.length, results, remove, finalFocus }
}
