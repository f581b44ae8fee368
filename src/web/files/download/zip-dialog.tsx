import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type TranscriptFormat, transcriptFormats } from '../../../contract/transcript-formats.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { useCorrectedFiles } from '../../library/corrected-files.ts'
import { aboutOf } from '../../library/make-file.ts'
import { setLastFormat, useLastFormat } from '../../preferences/last-format.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { countOf, countText } from '../../ui/sizes.ts'
import { saveZip } from './zip.ts'
import type { ZipItem, ZipProgress } from './zip-entries.ts'

type Text = 'corrected' | 'original'
type Props = { records: readonly FileRecord[]; onClose: () => void }

const nothingYet: ZipProgress = { done: 0, failures: [] }

/**
 * Many transcripts as one archive: format, progress, and in the end what is missing and why. Longer than most: one dialog
 * for all three.
 */
export function ZipDialog({ records, onClose }: Props) {
  const session = useSession()
  const format = useLastFormat()
  const [progress, setProgress] = useState(nothingYet)
  const abort = useRef(new AbortController())
  const correctedIds = useCorrectedFiles(session)
  const corrected = records.filter(({ id, corrections }) => corrections > 0 || correctedIds.has(id))
  const [text, setText] = useState<Text>('corrected')
  const unready = records.filter((record) => record.percent < 100).length
  const save = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController()
      setProgress(nothingYet)
      const items = records.map((record) => itemOf(record, text === 'corrected' && corrected.includes(record)))
      await saveZip({ session, items, format, signal: abort.current.signal, onProgress: setProgress })
    },
  })
  function close() {
    abort.current.abort()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      title={`Download ${countOf(records.length, 'transcript')} as one ZIP`}
      description={
        unready > 0 && `${countOf(unready, 'file is', 'files are')} not ready: the ZIP has their work-in-progress text.`
      }
      actions={
        save.isSuccess ? (
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" disabled={save.isPending} onClick={() => save.mutate()}>
              {save.error ? 'Try again' : 'Save ZIP'}
            </Button>
          </>
        )
      }
    >
      {save.isIdle && <ZipChoices corrected={corrected.length} text={text} onText={setText} />}
      {!save.isIdle && <ZipReport progress={progress} total={records.length} finished={save.isSuccess} />}
      {save.error && !isAbort(save.error) && (
        <Notice tone="bad">The ZIP could not be saved: {save.error.message}</Notice>
      )}
    </Dialog>
  )
}

type ChoiceProps = { corrected: number; text: Text; onText: (text: Text) => void }

function ZipChoices({ corrected, text, onText }: ChoiceProps) {
  const format = useLastFormat()
  const formats = transcriptFormats.map((value: TranscriptFormat) => ({ value, label: value.toUpperCase() }))
  const texts = [
    { value: 'corrected', label: `Corrected where available (${countText(corrected)})` },
    { value: 'original', label: 'Original' },
  ] as const
  return (
    <div className="grid gap-3 [&>fieldset]:flex-wrap">
      {corrected > 0 && <Segmented label="Text" value={text} options={texts} onChange={onText} />}
      <Segmented label="Format" value={format} options={formats} onChange={setLastFormat} />
    </div>
  )
}

function itemOf(record: FileRecord, isCorrected: boolean): ZipItem {
  return { id: record.id, name: record.metadata.name || record.id, about: isCorrected ? aboutOf(record) : null }
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}

function ZipReport({ progress, total, finished }: { progress: ZipProgress; total: number; finished: boolean }) {
  const { done, failures } = progress
  return (
    <div className="grid gap-3">
      <ProgressBar percent={(100 * done) / total} label="Transcripts in the ZIP" />
      <p role="status" className="text-ink-2 tabular-nums">
        {finished
          ? `Saved ${countText(done - failures.length)} of ${countText(total)}.`
          : `${countText(done)} of ${countText(total)}`}
      </p>
      {failures.length > 0 && (
        <div className="grid gap-1">
          <p className="font-medium text-bad">{countOf(failures.length, 'file is', 'files are')} missing:</p>
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
