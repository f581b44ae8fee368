import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type TranscriptFormat, transcriptFormats } from '../../../contract/transcript-formats.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { setLastFormat, useLastFormat } from '../../preferences/last-format.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { countOf } from '../../ui/sizes.ts'
import { saveZip } from './zip.ts'
import type { ZipProgress } from './zip-entries.ts'

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
  const unready = records.filter((record) => record.percent < 100).length
  const save = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController()
      setProgress(nothingYet)
      const items = records.map(({ id, metadata }) => ({ id, name: metadata.name || id }))
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
        unready > 0 && `${countOf(unready, 'file is', 'files are')} not ready: their work-in-progress text is taken.`
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
      {save.isIdle && (
        <div className="[&>fieldset]:flex-wrap">
          <Segmented
            label="Format"
            value={format}
            options={transcriptFormats.map((value: TranscriptFormat) => ({ value, label: value.toUpperCase() }))}
            onChange={setLastFormat}
          />
        </div>
      )}
      {!save.isIdle && <ZipReport progress={progress} total={records.length} finished={save.isSuccess} />}
      {save.error && !isAbort(save.error) && (
        <Notice tone="bad">The archive could not be written: {save.error.message}</Notice>
      )}
    </Dialog>
  )
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}

function ZipReport({ progress, total, finished }: { progress: ZipProgress; total: number; finished: boolean }) {
  const { done, failures } = progress
  return (
    <div className="grid gap-3">
      <ProgressBar percent={(100 * done) / total} label="Transcripts in the archive" />
      <p role="status" className="text-ink-2 tabular-nums">
        {finished ? `Saved ${done - failures.length} of ${total}.` : `${done} of ${total}`}
      </p>
      {failures.length > 0 && (
        <div className="grid gap-1">
          <p className="font-medium text-bad">{countOf(failures.length, 'file is', 'files are')} missing:</p>
          <ul className="max-h-40 overflow-y-auto text-sm text-ink-2">
            {failures.map(({ id, name, reason }) => (
              <li key={id}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
