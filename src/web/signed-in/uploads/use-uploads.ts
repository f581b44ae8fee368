import { useMemo, useSyncExternalStore } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { throttled } from '../../base/state/throttled.ts'
import type { QueueState } from './queue/queue-ports.ts'
import { isBusy, isOwnedBy, isSubmitted, type Owner, sentBytes, type Upload } from './tray/upload.ts'
import { queue, uploadList } from './uploads.ts'

/** Throttle interval: the dock need not render for each state of each of hundreds of small uploads. */
const dockEveryMs = 500
const subscribeThrottled = throttled(uploadList.subscribe, dockEveryMs)

/** Selects uploads; the same array until one of them changes, so that progress does not re-render the tray. */
function useSelected(
  owner: Owner,
  isWanted: (upload: Upload) => boolean,
  isSame: (upload: Upload, last: Upload | undefined) => boolean = Object.is,
  subscribe = uploadList.subscribe,
): readonly Upload[] {
  const { environment, account } = owner
  const select = useMemo(() => {
    let last: readonly Upload[] = []
    return () => {
      const next = uploadList.all().filter((upload) => isOwnedBy(upload, { environment, account }) && isWanted(upload))
      const isUnchanged = next.length === last.length && next.every((upload, index) => isSame(upload, last[index]))
      if (!isUnchanged) last = next
      return last
    }
  }, [environment, account, isWanted, isSame])
  return useSyncExternalStore(subscribe, select)
}

const isDraft = (upload: Upload): boolean => upload.state.is === 'draft'

/** The tray of an account: uploads that are not submitted yet. */
export function useTray(owner: Owner): readonly Upload[] {
  return useSelected(owner, isDraft)
}

/** The submitted uploads of an account, in sending order; throttled to two changes a second. */
export function useUploads(owner: Owner): readonly Upload[] {
  return useSelected(owner, isSubmitted, Object.is, subscribeThrottled)
}

/** The submitted uploads of an account; the same array while only their progress changes. */
export function useSubmittedSources(owner: Owner): readonly Upload[] {
  return useSelected(owner, isSubmitted, isSameButProgress)
}

function isSameButProgress(a: Upload, b: Upload | undefined): boolean {
  return a.id === b?.id && a.inspection === b.inspection && a.state.is === b.state.is
}

/** Whether the queue is paused, stopped or cannot reach the service. */
export function useQueueState(): QueueState {
  return useSignal(queue.state)
}

/** Combined progress of all active uploads, 0 to 100; null if none is active. */
export function totalPercent(uploads: readonly Upload[]): number | null {
  if (!uploads.some(isBusy)) return null
  const counted = uploads.filter((upload) => isBusy(upload) || upload.state.is === 'ordered')
  const total = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  if (total === 0) return null
  return Math.floor((counted.reduce((sum, upload) => sum + sentBytes(upload), 0) / total) * 100)
}

/** Seconds until these are all sent, at the present speed; null: it is not known. */
export function unsentSeconds(uploads: readonly Upload[]): number | null {
  const left = uploads.reduce((sum, upload) => sum + upload.bytes - sentBytes(upload), 0)
  if (left === 0) return uploads.some(({ source }) => source.kind === 'link') ? null : 0
  const speed = uploads.reduce((sum, { state }) => sum + (state.is === 'sending' ? (state.bytesPerSecond ?? 0) : 0), 0)
  return speed > 0 ? left / speed : null
}
