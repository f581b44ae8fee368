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
import { Select } from '../../base/ui/select.tsx'
import { countText } from '../../base/ui/sizes.ts'
import { Switch } from '../../base/ui/switch.tsx'
import type { Desk } from '../desk/desk.ts'
import type { Doubts } from '../desk/doubts.ts'
import { changeReading, readingSettings } from '../desk/reading-settings.ts'
import type { WordTable } from '../model/word-table.ts'
import { PanelSection } from './panel-section.tsx'

const BeginDialog = laterPart(async () => (await import('./begin-dialog.tsx')).BeginDialog)

type Props = {
  session: Session
  record: FileRecord
  desk: Desk
  doubts: Doubts
  ready: boolean
  /** called when the text should be shown */
  onShow: () => void
}

/** Display settings of the text: doubt (not in progress, nor once people typed it), follow, times. */
export function ReadingControls({ session, record, desk, doubts, ready, onShow }: Props) {
  const settings = useSignal(readingSettings)
  const hasDoubts = useSignal(desk.hasDoubts) && ready
  return (
    <PanelSection title="Reading">
      <div className="grid divide-y divide-line border-b border-line [&>*]:py-1">
        {hasDoubts && <Underline desk={desk} doubts={doubts} onShow={onShow} />}
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

/** How many words are underlined, with their threshold; null: the least certain tenth of the transcript. */
const amounts = [
  { value: 'few', label: 'few', below: null },
  { value: 'some', label: 'some', below: 0.75 },
  { value: 'many', label: 'many', below: 0.9 },
] as const
type Amount = (typeof amounts)[number]['value'] | 'none' | 'own'

/** Chooses how many doubtful words are underlined, and steps through them: consecutive words count as one. */
function Underline({ desk, doubts, onShow }: Pick<Props, 'desk' | 'doubts' | 'onShow'>) {
  const state = useSignal(desk.text.state)
  const usual = useSignal(desk.usualDoubt)
  const { underlineDoubtful, doubtBelow } = useSignal(readingSettings)
  const shown = useDeferredValue(doubtBelow ?? usual)
  const count = useMemo(() => placeOfDoubt(state.table, 0, shown).count, [state, shown])
  const hasValues = useMemo(() => hasConfidences(state.table), [state])
  if (state.table.count === 0 && state.phase !== 'reading') return null
  if (!hasValues) {
    return <p className="text-sm text-ink-2">This transcript has no confidence values for its words.</p>
  }
  const known = amounts.find(({ below }) => below === doubtBelow)
  // A percentage that was chosen when there was a slider for it.
  const own = known === undefined ? [{ value: 'own' as const, label: `below ${Math.round(shown * 100)}%` }] : []
  const choose = (amount: Amount) => {
    const chosen = amounts.find(({ value }) => value === amount)
    changeReading({ underlineDoubtful: amount !== 'none', ...(chosen && { doubtBelow: chosen.below }) })
  }
  const check = () => {
    onShow()
    doubts.step(1)
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 text-sm">
      <Select<Amount>
        label="Underline doubtful words"
        look="quiet"
        className="-ml-1.5"
        prefix="Underline: "
        value={!underlineDoubtful ? 'none' : (known?.value ?? 'own')}
        options={[{ value: 'none', label: 'none' }, ...amounts, ...own]}
        onChange={choose}
      />
      {underlineDoubtful && (
        <Button size="sm" variant="quiet" disabled={count === 0} onClick={check} className="tabular-nums">
          {countText(count)} to check <Kbd>N</Kbd>
        </Button>
      )}
    </div>
  )
}
