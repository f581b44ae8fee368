import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import type { BatchFiles } from '../library/use-live.ts'
import { isSameOrder } from './queue/existing-file.ts'
import { isBusy, needsFile, sentBytes, type Upload } from './tray/upload.ts'

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

/** How many files of a batch the account has, and how many not. `begun`: how much of these is sent, each at most 1. */
export type BatchCounts = { sent: number; unsent: number; failed: number; begun: number }

/**
 * Counts a batch, also after a reload, when its ordered uploads are known only as files. An upload whose file is there
 * before its response counts as that file; a deleted file no longer counts.
 * @param uploads those of the batch
 */
export function countBatch({ records, deleted }: BatchFiles, uploads: readonly Upload[], batch: string): BatchCounts {
  const ordered = orderedIds(uploads)
  const others = new Set(records.filter((record) => record.batch === batch && !ordered.has(record.id)))
  const sent = [...ordered].filter((id) => !deleted.has(id)).length + others.size
  const unsent = uploads.filter((upload) => {
    if (upload.state.is === 'ordered') return false
    return takeFile(upload, others) === null
  })
  return {
    sent,
    unsent: unsent.length,
    failed: unsent.filter(({ state }) => state.is === 'failed').length,
    begun: unsent.reduce((sum, upload) => sum + sentShare(upload), 0),
  }
}

/**
 * Takes out of `records` the file that an upload became whose response did not arrive; null if there is none, or it
 * could be another's.
 */
export function takeFile(upload: Upload, records: Set<FileRecord>): FileRecord | null {
  const { unclearSince, source, agreement } = upload
  if (unclearSince === null || source.kind === 'link' || agreement === null || agreement.hasTwin) return null
  const own = [...records].find(({ batch, metadata }) => batch === agreement.batch && isSameOrder(upload, metadata))
  if (own !== undefined) records.delete(own)
  return own ?? null
}

/** How much of an upload is sent, 0 to 1; of a link only that it is confirmed. */
function sentShare(upload: Upload): number {
  return upload.bytes > 0 ? sentBytes(upload) / upload.bytes : Number(upload.state.is === 'confirming')
}

/** `Paused · 41 of 58 sent · 2 failed`, or `58 files in this order`, of which some may have been deleted. */
export function sentWords({ sent, unsent, failed }: BatchCounts, isPaused: boolean): string {
  if (unsent === 0) return `${formatCount(sent, 'file')} in this order`
  const parts = [isPaused && 'Paused', `${countText(sent)} of ${countText(sent + unsent)} sent`]
  return [...parts, failed > 0 && `${countText(failed)} failed`].filter(Boolean).join(' · ')
}

/** How much of a batch is sent, 0 to 100: the same figure as `41 of 58 sent`, and parts of files. */
export function sentPercent({ sent, unsent, begun }: BatchCounts): number {
  return ((sent + begun) / Math.max(1, sent + unsent)) * 100
}

/** What the pill says of a batch: first of all whether it waits for a person. */
export function pillWords(counts: BatchCounts, uploads: readonly Upload[], isPaused: boolean): string {
  const needing = uploads.filter(needsFile).length
  if (needing > 0 && needing === uploads.filter(isBusy).length) {
    return `${formatCount(needing, 'file waits', 'files wait')} for you`
  }
  if (counts.failed > 0 && counts.failed === counts.unsent) return `${formatCount(counts.failed, 'upload')} failed`
  return counts.unsent === 0 ? `${formatCount(counts.sent, 'file')} ordered` : sentWords(counts, isPaused)
}
