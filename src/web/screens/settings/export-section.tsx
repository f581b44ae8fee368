import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AccountExport, exportDays } from '../../../contract/account/export.ts'
import { beginExport, exportsQuery } from '../../base/api/exports.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { ProgressBar } from '../../base/ui/progress-bar.tsx'
import { formatCount, sizeText } from '../../base/ui/sizes.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

/** The whole account as one file. */
export function ExportSection() {
  const session = useSession()
  const { data, error, refetch } = useQuery(exportsQuery(session))
  const [recordings, setRecordings] = useState(true)
  const begin = useMutation({ mutationFn: () => beginExport(session, recordings) })
  const [newest] = data?.exports ?? []
  const isMaking = newest?.state === 'making'
  return (
    <Section
      id="export"
      worksWhileClosed
      title="Export"
      words="Everything of this account in one ZIP: every transcript as JSON and DOCX, corrections with their versions, names, notes, tags, projects, vocabulary, rules, log, ledger, receipts and settings."
      action={
        <Button disabled={begin.isPending || isMaking || data === undefined} onClick={() => begin.mutate()}>
          {newest === undefined ? 'Make an export' : 'Make a new one'}
        </Button>
      }
    >
      <LabelledCheckbox
        label="With every recording, as it was sent"
        checked={recordings}
        disabled={isMaking}
        onChange={(event) => setRecordings(event.target.checked)}
      />
      {error && <UnreadNotice what="The exports" error={error} onAgain={() => void refetch()} />}
      {begin.error && <Notice tone="bad">{begin.error.message}</Notice>}
      {newest && <NewestExport made={newest} />}
    </Section>
  )
}

function NewestExport({ made }: { made: AccountExport }) {
  const dates = useDates()
  if (made.state === 'failed') return <Notice tone="bad">{made.error}</Notice>
  if (made.state === 'making') {
    const words = `${formatCount(made.files_done, 'file')} of ${made.files.toLocaleString('en')} are in it`
    return (
      <div role="status" className="grid gap-1.5 border-t border-line pt-3">
        <p className="text-sm text-ink-2">It is being made, also while this page is closed: {words}.</p>
        <ProgressBar percent={(100 * made.files_done) / Math.max(1, made.files)} label="Export" />
      </div>
    )
  }
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <p className="text-sm text-ink-2">
        Of {dates.moment(Date.parse(made.created))}, {sizeText(made.bytes)}, {made.recordings ? 'with' : 'without'}{' '}
        recordings. A download that breaks off goes on where it was. It is removed after {exportDays} days, or when one
        of its files is deleted.
      </p>
      <a href={made.url ?? ''} download className={buttonClass('primary')}>
        Download
      </a>
    </div>
  )
}
