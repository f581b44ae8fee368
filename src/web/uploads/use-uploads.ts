import { useMemo, useSyncExternalStore } from 'react'
import { useSignal } from '../state/signal.ts'
import { throttled } from '../state/throttled.ts'
import type { QueueState } from './queue/queue-ports.ts'
import { isBusy, isOrderedFrom, type Line, type Owner } from './tray/line.ts'
import { isOwnedBy, lines, queue } from './uploads.ts'

/** The dock need not follow each of hundreds of small uploads through each of its states. */
const uploadsShownEveryMs = 500
const subscribeCalmly = throttled(lines.subscribe, uploadsShownEveryMs)

/** The same array until one of the chosen lines changes, so that the tray does not render for an upload's progress. */
function useSelected(
  owner: Owner,
  isWanted: (line: Line) => boolean,
  isSame: (line: Line, last: Line | undefined) => boolean = Object.is,
  subscribe = lines.subscribe,
): readonly Line[] {
  const { environment, account } = owner
  const select = useMemo(() => {
    let last: readonly Line[] = []
    return () => {
      const next = lines.all().filter((line) => isOwnedBy(line, { environment, account }) && isWanted(line))
      const isUnchanged = next.length === last.length && next.every((line, index) => isSame(line, last[index]))
      if (!isUnchanged) last = next
      return last
    }
  }, [environment, account, isWanted, isSame])
  return useSyncExternalStore(subscribe, select)
}

const isDraft = (line: Line): boolean => line.state.is === 'draft'

/** The tray of an account: lines that nothing was agreed to yet. */
export function useTray(owner: Owner): readonly Line[] {
  return useSelected(owner, isDraft)
}

/** The uploads of an account, in the order they are sent; what changes quickly is shown four times a second. */
export function useUploads(owner: Owner): readonly Line[] {
  return useSelected(owner, isOrderedFrom, Object.is, subscribeCalmly)
}

/** The uploads of an account, the same array while nothing but their progress changes. */
export function useUploadedSources(owner: Owner): readonly Line[] {
  return useSelected(owner, isOrderedFrom, isSameButProgress)
}

function isSameButProgress(a: Line, b: Line | undefined): boolean {
  return a.id === b?.id && a.inspection === b.inspection && a.state.is === b.state.is
}

/** Whether the queue is paused, stopped or cannot reach the service. */
export function useQueueState(): QueueState {
  return useSignal(queue.state)
}

/** How far all uploads under way are, 0 to 100; null where nothing is under way. */
export function totalPercent(uploads: readonly Line[]): number | null {
  if (!uploads.some(isBusy)) return null
  const counted = uploads.filter((line) => isBusy(line) || line.state.is === 'ordered')
  const total = counted.reduce((sum, line) => sum + line.bytes, 0)
  if (total === 0) return null
  return Math.floor((counted.reduce((sum, line) => sum + sentBytes(line), 0) / total) * 100)
}

function sentBytes({ state, bytes }: Line): number {
  if (state.is === 'sending') return state.sentBytes
  return state.is === 'confirming' || state.is === 'ordered' ? bytes : 0
}
