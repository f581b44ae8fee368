import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Session } from '../../../base/api/client.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import type { NamedArchive } from '../../../signed-in/file-actions/file-action.ts'
import { getCaptionRules } from '../../../signed-in/library/caption-rules.ts'
import { rememberArchive } from '../../../signed-in/preferences/last-archive.ts'
import { rememberFormat } from '../../../signed-in/preferences/last-format.ts'
import { isOneDocument } from '../../../transcript/downloads/apply-choices.ts'
import { describeFile } from '../../../transcript/downloads/make-file.ts'
import type { DownloadChoices } from '../../../transcript/downloads/use-download-choices.ts'
import { saveDocument } from './one-document.ts'
import { saveZip } from './zip.ts'
import type { ZipItem, ZipProgress } from './zip-entries.ts'

const nothingYet: ZipProgress = { done: 0, failures: [] }

/**
 * Saves many transcripts as one archive or document, and remembers the choices for the next time.
 * @param archive undefined: a selection of files
 * @param onCancelled called if the browser's save dialog is cancelled; null: that leads back to the choices
 */
export function useSave(
  session: Session,
  records: readonly FileRecord[],
  corrected: readonly FileRecord[],
  { format, choices, remember }: DownloadChoices,
  archive: NamedArchive | undefined,
  onCancelled: (() => void) | null,
) {
  const [progress, setProgress] = useState(nothingYet)
  const abort = useRef(new AbortController())
  const save = useMutation({
    mutationFn: async () => {
      let last = nothingYet
      const onProgress = (now: ZipProgress) => {
        last = now
        setProgress(now)
      }
      abort.current = new AbortController()
      onProgress(nothingYet)
      rememberFormat(format)
      rememberArchive(format)
      remember()
      const takesCorrected = choices.text === 'corrected'
      const items = records.map((record) => toZipItem(record, takesCorrected && corrected.includes(record)))
      const { signal } = abort.current
      const saveAll = isOneDocument(format, choices, items.length) ? saveDocument : saveZip
      await saveAll({ session, items, format, choices, archive, signal, onProgress })
      return last
    },
    onError: (error) => {
      if (error.name !== 'AbortError') return
      if (onCancelled) onCancelled()
      else save.reset()
    },
  })
  return { save, progress, abort }
}

/** Saves without being asked for choices, once it may; closes by itself unless something is to be read. */
export function useAtOnce(save: ReturnType<typeof useSave>['save'], mayBegin: boolean, onClose: () => void): void {
  const begin = useEffectEvent(() =>
    save.mutate(undefined, {
      onSuccess: ({ done, failures }) => {
        if (failures.length > 0) return
        showToast({ tone: 'ok', title: `Saved ${formatCount(done, 'transcript')}` })
        onClose()
      },
    }),
  )
  useEffect(() => {
    if (mayBegin) begin()
  }, [mayBegin])
}

function toZipItem(record: FileRecord, isCorrected: boolean): ZipItem {
  const { id, metadata, percent } = record
  const rules = getCaptionRules(record)
  return { id, name: metadata.name || id, about: describeFile(record), isCorrected, isReady: percent === 100, rules }
}
