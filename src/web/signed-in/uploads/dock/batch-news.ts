import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import type { Session } from '../../../base/api/client.ts'
import { isGivenUp } from '../../../base/api/metadata-reader.ts'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { getLive } from '../../library/live.ts'
import { canNotify, showNotification } from '../../library/news.ts'
import { isOfBatch } from '../batch.ts'
import { isBusy } from '../tray/upload.ts'
import { uploadList } from '../uploads.ts'

/* Batches of which the customer wants to be told when all of it is ready: in this tab, also after a reload. */

const storageKey = 'parley.awaited-batches'

const awaited = new Signal<readonly string[]>((sessionStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean))

function change(batches: readonly string[]): void {
  sessionStorage.setItem(storageKey, batches.join(' '))
  awaited.set(batches)
}

/** Whether the customer wants to be told of a batch. */
export function useIsAwaited(batch: string): boolean {
  return useSignal(awaited).includes(batch)
}

/** Turns it on or off, and asks for the browser's permission if it is on. @returns whether the browser permits it */
export async function setAwaited(batch: string, on: boolean): Promise<boolean> {
  const others = awaited.get().filter((one) => one !== batch)
  change(on ? [...others, batch] : others)
  return on && canNotify() && (await Notification.requestPermission()) === 'granted'
}

/** How many transcripts of a batch are ready; null while any of it is not. Files that were given up do not count. */
function readyCount(session: Session, batch: string): number | null {
  const { list, snapshot } = getLive(session).library
  const records = snapshot.get().rows.flatMap(({ record }) => (record?.batch === batch ? [record] : []))
  const isSending = uploadList.all().some((upload) => isOfBatch(upload, batch) && isBusy(upload))
  const isFinal = records.every((record) => record.percent === 100 || isGivenUp(record))
  const isKnown = list.complete && records.length > 0
  return isKnown && isFinal && !isSending ? records.filter(({ percent }) => percent === 100).length : null
}

/** Says on any page, and by the browser if it may, that a batch is ready. */
export function useBatchNews(session: Session): void {
  const navigate = useNavigate()
  const batches = useSignal(awaited)
  const tell = useEffectEvent((batch: string, count: number) => {
    change(awaited.get().filter((one) => one !== batch))
    const title =
      count === 1 ? 'Your order is ready' : `All of your order is ready: ${formatCount(count, 'transcript')}`
    const page = `order/${batch}`
    showNotification(session, { title, tag: batch, page })
    const path = `/${session.environment}/${page}`
    showToast({ tone: 'ok', title, stayMs: 0, action: { label: 'Open', onPress: () => void navigate(path) } })
  })
  useEffect(() => {
    if (batches.length === 0) return
    const check = () => {
      for (const batch of batches) {
        const count = readyCount(session, batch)
        if (count !== null) tell(batch, count)
      }
    }
    check()
    const stops = [getLive(session).library.snapshot.subscribe(check), uploadList.subscribe(check)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [session, batches])
}
