import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { captionStyleNames } from '../../../contract/account/caption-styles.ts'
import type { CaptionReport } from '../../../contract/account/captions.ts'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import { account } from '../../base/api/account.ts'
import { captionReportQuery } from '../../base/api/captions.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Button } from '../../base/ui/button.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { PanelSection } from './panel-section.tsx'
import { useSyncs } from './use-syncs.ts'

type Props = {
  session: Session
  record: FileRecord
  desk: Desk
  corrections: Corrections
}

/** For orders with a subtitle file: how well its captions follow the rules, place by place. */
export function CaptionReportSection({ session, record, desk, corrections }: Props) {
  const syncs = useSyncs(corrections)
  const enabled = useQuery(account.overview(session)).data?.features.captions === true
  const { data, error } = useQuery({ ...captionReportQuery(session, record.id, `${record.version} ${syncs}`), enabled })
  if (!enabled) return null
  return (
    <PanelSection title="Subtitle file">
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error.message}
        </p>
      ) : data === undefined ? (
        <Skeleton className="h-9" />
      ) : (
        <Report report={data} record={record} desk={desk} />
      )}
    </PanelSection>
  )
}

function Report({ report, record, desk }: { report: CaptionReport } & Pick<Props, 'record' | 'desk'>) {
  const { style, captions, keep_rules: kept, mean_speed: mean, top_speed: top, faults } = report
  const show = (seconds: number) => {
    const word = desk.text.times.nearest(seconds)
    if (word === -1) return
    desk.view?.scrollToWord(word)
    desk.playWord(word)
  }
  const save = () => {
    const name = `${record.metadata.name || record.id} captions.csv`
    saveCsv(faultsCsv(report), name)
  }
  const rules = style === 'own' ? 'your own rules' : `the ${captionStyleNames[style]} rules`
  return (
    <>
      <p role="status" className="text-sm">
        {kept === captions
          ? `All ${formatCount(captions, 'caption')} keep ${rules}.`
          : `${countText(kept)} of ${formatCount(captions, 'caption')} keep ${rules}.`}{' '}
        <span className="text-ink-3">
          {mean} characters per second on average, {top} at most.
        </span>
      </p>
      {faults.length > 0 && (
        <>
          <ul className="grid max-h-48 overflow-y-auto text-sm">
            {faults.map((fault) => (
              <li key={`${fault.caption} ${fault.fault}`}>
                <button
                  type="button"
                  onClick={() => show(fault.start_ms / 1_000)}
                  className="w-full truncate py-0.5 text-left hover:underline"
                  title={fault.text}
                >
                  <span className="text-ink-3 tabular-nums">{clockText(fault.start_ms / 1_000)}</span> {fault.fault}
                </button>
              </li>
            ))}
          </ul>
          <Button size="sm" className="justify-self-start" onClick={save}>
            <Download aria-hidden /> Save report
          </Button>
        </>
      )}
    </>
  )
}

/** One row per violation, for spreadsheets. */
function faultsCsv({ faults }: CaptionReport): string {
  const lines = faults.map(({ caption, start_ms, end_ms, fault, value, text }) =>
    [
      csvNumber(caption),
      csvNumber(start_ms / 1_000),
      csvNumber(end_ms / 1_000),
      csvText(fault),
      csvNumber(value ?? ''),
      csvText(text),
    ].join(','),
  )
  return `${['caption,start,end,fault,value,text', ...lines].join('\r\n')}\r\n`
}
