import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatTable } from '../../../../formats/format-table.ts'
import type { Session } from '../../../base/api/client.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import { Dialog } from '../../../base/ui/dialog.tsx'
import { Notice } from '../../../base/ui/notice.tsx'
import { ProgressBar } from '../../../base/ui/progress-bar.tsx'
import { Segmented } from '../../../base/ui/segmented.tsx'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import type { NamedArchive } from '../../../signed-in/file-actions/file-action.ts'
import { getCaptionRules } from '../../../signed-in/library/caption-rules.ts'
import { useCorrectedFiles } from '../../../signed-in/library/corrected-files.ts'
import { useFiles } from '../../../signed-in/library/use-file.ts'
import { rememberFormat, useLastFormat } from '../../../signed-in/preferences/last-format.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { contradictionIn, isOneDocument } from '../../../transcript/downloads/apply-choices.ts'
import type { Choices } from '../../../transcript/downloads/choices.ts'
import { DownloadPanel, type Sample } from '../../../transcript/downloads/download-panel.tsx'
import { describeFile } from '../../../transcript/downloads/make-file.ts'
import { type DownloadChoices, useDownloadChoices } from '../../../transcript/downloads/use-download-choices.ts'
import { mostHours, saveDocument } from './one-document.ts'
import { saveZip } from './zip.ts'
import type { ZipItem, ZipProgress } from './zip-entries.ts'

type Props = { records: readonly FileRecord[]; archive?: NamedArchive | undefined; onClose: () => void }

const nothingYet: ZipProgress = { done: 0, failures: [] }

/**
 * Many transcripts as one archive or document: format, progress, and finally which are missing and why. Longer than
 * most: one dialog for all three.
 */
export function ZipDialog({ records: chosen, archive, onClose }: Props) {
  const session = useSession()
  const records = useFiles(chosen)
  const correctedIds = useCorrectedFiles(session)
  const corrected = records.filter(({ id, corrections }) => corrections > 0 || correctedIds.has(id))
  const download = useDownloadChoices(session, useLastFormat(), 'corrected')
  const { save, progress, abort } = useSave(session, records, corrected, download, archive?.name)
  const { format, choices } = download
  const isOne = isOneDocument(format, choices, records.length)
  const whole = isOne ? 'document' : 'ZIP'
  const tooLong = isOne ? lengthProblem(records) : null
  const contradicts = formatTable[format].kind === 'captions' && contradictionIn(choices.captions) !== null
  const unready = records.filter((record) => record.percent < 100).length
  function close() {
    abort.current.abort()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      width={save.isIdle ? 'lg' : 'sm'}
      title={`Download ${formatCount(records.length, 'transcript')} as one ${whole}`}
      description={describe(unready, archive?.leftOut ?? 0, isOne)}
      actions={
        <>
          {!save.isSuccess && <Button onClick={close}>Cancel</Button>}
          {/* Stays the same element, and enabled while saving, so that it keeps the focus. */}
          <Button
            variant="primary"
            disabled={!save.isSuccess && (contradicts || tooLong !== null)}
            aria-disabled={save.isPending}
            className="aria-disabled:opacity-50"
            onClick={save.isSuccess ? close : () => save.isPending || save.mutate()}
          >
            {save.isSuccess ? 'Done' : save.error ? 'Try again' : `Save ${whole}`}
          </Button>
        </>
      }
    >
      {save.isIdle && <ZipChoices session={session} records={records} corrected={corrected} download={download} />}
      {tooLong !== null && save.isIdle && <Notice tone="bad">{tooLong}</Notice>}
      {!save.isIdle && <ZipReport progress={progress} total={records.length} finished={save.isSuccess} />}
      {save.error && (
        <Notice tone="bad">
          The {whole} could not be saved: {save.error.message}
        </Notice>
      )}
    </Dialog>
  )
}

function describe(unready: number, leftOut: number, isOne: boolean): string {
  const sentences: string[] = []
  if (leftOut > 0) sentences.push(`${formatCount(leftOut, 'archived file is', 'archived files are')} not in it.`)
  const [them, their] = unready === 1 ? ['it', 'its'] : ['them', 'their']
  const instead = isOne ? `the document names ${them} at its end` : `the ZIP has ${their} work-in-progress text`
  if (unready > 0) sentences.push(`${formatCount(unready, 'file is', 'files are')} not ready: ${instead}.`)
  return sentences.join(' ')
}

function lengthProblem(records: readonly FileRecord[]): string | null {
  const hours = Math.ceil(records.reduce((sum, { seconds }) => sum + seconds, 0) / 3_600)
  if (hours <= mostHours) return null
  return `One document takes up to ${mostHours} hours of recordings, and these have ${countText(hours)}. Choose fewer, or one file each.`
}

function useSave(
  session: Session,
  records: readonly FileRecord[],
  corrected: readonly FileRecord[],
  { format, choices, remember }: DownloadChoices,
  name?: string,
) {
  const [progress, setProgress] = useState(nothingYet)
  const abort = useRef(new AbortController())
  const save = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController()
      setProgress(nothingYet)
      rememberFormat(format)
      remember()
      const takesCorrected = choices.text === 'corrected'
      const items = records.map((record) => toZipItem(record, takesCorrected && corrected.includes(record)))
      const { signal } = abort.current
      const saveAll = isOneDocument(format, choices, items.length) ? saveDocument : saveZip
      await saveAll({ session, items, format, choices, name, signal, onProgress: setProgress })
    },
    // A save dialog that was cancelled leads back to the choices.
    onError: (error) => {
      if (isAbort(error)) save.reset()
    },
  })
  return { save, progress, abort }
}

type ChoiceProps = {
  session: Session
  records: readonly FileRecord[]
  corrected: readonly FileRecord[]
  download: DownloadChoices
}

function ZipChoices({ session, records, corrected, download }: ChoiceProps) {
  const { choices, onChoices } = download
  const texts = [
    { value: 'corrected', label: `Corrected (${countText(corrected.length)})` },
    { value: 'original', label: 'Original' },
  ] as const
  const first = records.find(({ percent }) => percent === 100)
  const sample = first && {
    ...makeSample(session, first, choices.text, corrected),
    more: records.filter((record) => record !== first),
  }
  return (
    <DownloadPanel download={download} sample={sample ?? null}>
      {corrected.length > 0 && (
        <Segmented
          label="Text"
          value={choices.text}
          options={texts}
          onChange={(text) => onChoices({ ...choices, text })}
        />
      )}
    </DownloadPanel>
  )
}

function makeSample(
  session: Session,
  record: FileRecord,
  text: Choices['text'],
  corrected: readonly FileRecord[],
): Sample {
  const isCorrected = text === 'corrected' && corrected.includes(record)
  const kind = isCorrected ? 'corrected' : 'original'
  const source = { kind, session, id: record.id, ordered: record.metadata.options } as const
  return { record, source, textKey: `${record.id} ${kind}`, speakers: [], corrected: isCorrected }
}

function toZipItem(record: FileRecord, isCorrected: boolean): ZipItem {
  const { id, metadata, percent } = record
  const rules = getCaptionRules(record)
  return { id, name: metadata.name || id, about: describeFile(record), isCorrected, isReady: percent === 100, rules }
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}

function ZipReport({ progress, total, finished }: { progress: ZipProgress; total: number; finished: boolean }) {
  const { done, failures } = progress
  return (
    <div className="grid gap-3">
      <ProgressBar percent={(100 * done) / total} label="Transcripts" />
      <p role="status" className="text-ink-2 tabular-nums">
        {finished
          ? `Saved ${countText(done - failures.length)} of ${countText(total)}.`
          : `${countText(done)} of ${countText(total)}`}
      </p>
      {failures.length > 0 && (
        <div className="grid gap-1">
          <p className="font-medium text-bad">{formatCount(failures.length, 'file is', 'files are')} missing:</p>
          <ul className="max-h-40 overflow-y-auto text-sm text-ink-2">
            {failures.map(({ id, name, reason }) => (
              <li key={id}>
                <bdi>{name}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
