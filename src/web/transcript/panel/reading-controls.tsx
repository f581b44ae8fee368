import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { timeOfDay } from '../../../text/clock-time.ts'
import { placeOfDoubt } from '../../../text/doubtful-words.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { Switch } from '../../base/ui/switch.tsx'
import type { Desk } from '../desk/desk.ts'
import type { Doubts } from '../desk/doubts.ts'
import { changeReading, readingSettings } from '../desk/reading-settings.ts'
import type { WordTable } from '../model/word-table.ts'
import { PanelSection } from './panel-section.tsx'

const BeginDialog = laterPart(async () => (await import('./begin-dialog.tsx')).BeginDialog)

type Props = { session: Session; record: FileRecord; desk: Desk; doubts: Doubts; ready: boolean }

/** Display settings of the text: doubt and its threshold (not in progress, nor once people typed it), follow, times. */
export function ReadingControls({ session, record, desk, doubts, ready }: Props) {
  const settings = useSignal(readingSettings)
  const usualDoubt = useSignal(desk.usualDoubt)
  const hasDoubts = useSignal(desk.hasDoubts) && ready
  return (
    <PanelSection title="Reading">
      <div className="grid divide-y divide-line border-b border-line [&>*]:py-1">
        {hasDoubts && (
          <Switch
            label="Underline doubtful words"
            checked={settings.underlineDoubtful}
            onChange={(underlineDoubtful) => changeReading({ underlineDoubtful })}
          />
        )}
        {hasDoubts && settings.underlineDoubtful && (
          <Threshold
            desk={desk}
            doubts={doubts}
            below={settings.doubtBelow ?? usualDoubt}
            isChosen={settings.doubtBelow !== null}
          />
        )}
        <Switch label="Follow playback" checked={settings.follow} onChange={(follow) => changeReading({ follow })} />
        <Switch label="Times" checked={settings.times} onChange={(times) => changeReading({ times })} />
      </div>
      <Beginning session={session} record={record} />
    </PanelSection>
  )
}

/** From when times count, and a button to change it. */
function Beginning({ session, record }: Pick<Props, 'session' | 'record'>) {
  const [isOpen, setIsOpen] = useState(false)
  const begins = record.labels?.begins_at_seconds
  if (useQuery(account.overview(session)).data?.features.labels !== true) return null
  return (
    <div className="flex items-center justify-between gap-2 text-sm text-ink-2 tabular-nums">
      Times from {begins === undefined ? '00:00' : timeOfDay(begins)}
      <Button size="sm" variant="quiet" onClick={() => setIsOpen(true)}>
        Time of day…
      </Button>
      <Later wanted={isOpen}>{isOpen && <BeginDialog record={record} onClose={() => setIsOpen(false)} />}</Later>
    </div>
  )
}

function hasConfidences(table: WordTable): boolean {
  for (let word = 0; word < table.count; word++) if (!Number.isNaN(table.confOf(word))) return true
  return table.count === 0
}

type ThresholdProps = Pick<Props, 'desk' | 'doubts'> & { below: number; isChosen: boolean }

/** The conf below which a word is doubtful, with the resulting number of places: consecutive words count as one. */
function Threshold({ desk, doubts, below, isChosen }: ThresholdProps) {
  const state = useSignal(desk.text.state)
  const shown = useDeferredValue(below)
  const count = useMemo(() => placeOfDoubt(state.table, 0, shown).count, [state, shown])
  const hasValues = useMemo(() => hasConfidences(state.table), [state])
  if (state.table.count === 0 && state.phase !== 'reading') return null
  if (!hasValues) {
    return <p className="text-sm text-ink-2">This transcript has no confidence values for its words.</p>
  }
  return (
    <div className="grid gap-1 text-sm text-ink-2">
      <label className="grid gap-1">
        <span>Doubtful below {Math.round(below * 100)}%</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={below}
          onChange={(event) => changeReading({ doubtBelow: event.target.valueAsNumber })}
        />
      </label>
      <div className="flex items-center justify-between">
        <output className="tabular-nums">{formatCount(count, 'place')}</output>
        <Button size="sm" variant="quiet" disabled={count === 0} onClick={() => doubts.step(1)}>
          Check them <Kbd>N</Kbd>
        </Button>
      </div>
      {isChosen && (
        <Button
          size="sm"
          variant="quiet"
          className="justify-self-start"
          onClick={() => changeReading({ doubtBelow: null })}
        >
          Only the least certain tenth
        </Button>
      )}
    </div>
  )
}
