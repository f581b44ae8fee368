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
import { useCorrectedFiles } from '../../../signed-in/library/corrected-files.ts'
import { useFiles } from '../../../signed-in/library/use-file.ts'
import { useArchiveFormat } from '../../../signed-in/preferences/last-archive.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { contradictionIn, isOneDocument } from '../../../transcript/downloads/apply-choices.ts'
import type { Choices } from '../../../transcript/downloads/choices.ts'
import { DownloadPanel, type Sample } from '../../../transcript/downloads/download-panel.tsx'
import { type DownloadChoices, useDownloadChoices } from '../../../transcript/downloads/use-download-choices.ts'
import { mostHours } from './one-document.ts'
import { useAtOnce, useSave } from './use-save.ts'
import type { ZipProgress } from './zip-entries.ts'

type Props = { records: readonly FileRecord[]; archive?: NamedArchive | undefined; onClose: () => void }

/**
 * Many transcripts as one archive or document: format, progress, and finally which are missing and why. Longer than
 * most: one dialog for all three.
 */
export function ZipDialog({ records: chosen, archive, onClose }: Props) {
  const session = useSession()
  const records = useFiles(chosen)
  const correctedIds = useCorrectedFiles(session)
  const corrected = records.filter(({ id, corrections }) => corrections > 0 || correctedIds.has(id))
  const download = useDownloadChoices(session, useArchiveFormat(), 'corrected')
  const isAtOnce = archive?.isAtOnce === true
  const onCancelled = isAtOnce ? onClose : null
  const { save, progress, abort } = useSave(session, records, corrected, download, archive, onCancelled)
  const { format, choices } = download
  const isOne = isOneDocument(format, choices, records.length)
  const whole = isOne ? 'document' : 'ZIP'
  const tooLong = isOne ? lengthProblem(records) : null
  const contradicts = formatTable[format].kind === 'captions' && contradictionIn(choices.captions) !== null
  useAtOnce(save, isAtOnce && tooLong === null && download.isRead, onClose)
  function close() {
    abort.current.abort()
    onClose()
  }
  if (isAtOnce && tooLong === null && save.isIdle) return null
  return (
    <Dialog
      open
      onClose={close}
      width={save.isIdle ? 'lg' : 'sm'}
      title={`Download ${formatCount(records.length, 'transcript')} as one ${whole}`}
      description={describe(records, archive?.leftOut ?? 0, isOne)}
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

function describe(records: readonly FileRecord[], leftOut: number, isOne: boolean): string {
  const unready = records.filter((record) => record.percent < 100).length
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
