import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { isBusy, needsFile, type Upload } from './tray/upload.ts'

/*
 * A batch is what one press of "Upload and pay" ordered. Its id travels with each order (`Order-Batch`), so any device
 * finds its files; its unfinished uploads are known only to the device that sends them.
 */

/** True if an upload was submitted in this batch. */
export function isOfBatch({ agreement }: Upload, batch: string): boolean {
  return agreement?.batch === batch
}

/** Ids of the files that these uploads became. */
export function orderedIds(uploads: readonly Upload[]): ReadonlySet<string> {
  return new Set(uploads.flatMap(({ state }) => (state.is === 'ordered' ? [state.fileId] : [])))
}

/** How much of a batch the account has. */
export type BatchCounts = { sent: number; unsent: number; failed: number }

/**
 * Counts a batch, also after a reload, when its ordered uploads are known only as files.
 * @param uploads those of the batch
 */
export function countBatch(records: Iterable<FileRecord>, uploads: readonly Upload[], batch: string): BatchCounts {
  const sent = new Set(orderedIds(uploads))
  for (const record of records) if (record.batch === batch) sent.add(record.id)
  return {
    sent: sent.size,
    unsent: uploads.filter(({ state }) => state.is !== 'ordered').length,
    failed: uploads.filter(({ state }) => state.is === 'failed').length,
  }
}

/** `Paused · 41 of 58 sent · 2 failed`, or `58 files ordered`. */
export function sentWords({ sent, unsent, failed }: BatchCounts, isPaused: boolean): string {
  if (unsent === 0) return `${formatCount(sent, 'file')} ordered`
  const parts = [isPaused && 'Paused', `${countText(sent)} of ${countText(sent + unsent)} sent`]
  return [...parts, failed > 0 && `${countText(failed)} failed`].filter(Boolean).join(' · ')
}

/** How much of a batch is sent, 0 to 100: the same figure as `41 of 58 sent`, and parts of files. */
export function sentPercent({ sent, unsent }: BatchCounts, uploads: readonly Upload[]): number {
  const parts = uploads.reduce((sum, { state, bytes }) => {
    if (state.is === 'confirming') return sum + 1
    return state.is === 'sending' && bytes > 0 ? sum + state.sentBytes / bytes : sum
  }, 0)
  return ((sent + parts) / Math.max(1, sent + unsent)) * 100
}

/** What the pill says of a batch: first of all whether it waits for a person. */
export function pillWords(counts: BatchCounts, uploads: readonly Upload[], isPaused: boolean): string {
  const needing = uploads.filter(needsFile).length
  if (needing > 0 && needing === uploads.filter(isBusy).length) {
    return `${formatCount(needing, 'file waits', 'files wait')} for you`
  }
  if (counts.failed > 0 && counts.failed === counts.unsent) return `${formatCount(counts.failed, 'upload')} failed`
  return sentWords(counts, isPaused)
}
