import { Check, EyeOff, Trash2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import { type DeskPart, reworkReasons } from '../../../contract/work/parts.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Select } from '../../base/ui/select.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { Switch } from '../../base/ui/switch.tsx'
import { pageId } from '../../base/ui/use-focus-of-page.ts'
import { jumpBacks, preferences, setPreferences, usePreferences } from '../../signed-in/preferences/preferences.ts'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import { AbbreviationSection } from './abbreviation-section.tsx'
import type { Finding } from './check-text.ts'
import type { PartDesk } from './part-desk.ts'
import { StepsBefore } from './steps-before.tsx'
import type { TextMarks } from './text-marks.ts'
import type { Abbreviations } from './typing-keys.ts'
import type { PedalUse } from './use-pedals.ts'

const ReviewSections = laterPart(async () => (await import('./review-sections.tsx')).ReviewSections)
const HouseStyle = laterPart(async () => (await import('./house-style.tsx')).HouseStyle)

const noPlaces = new Signal<readonly Finding[]>([])

type Props = {
  open: PartDesk
  part: DeskPart
  ticked: readonly string[]
  onTick: (id: string, isTicked: boolean) => void
  list: Abbreviations
  onList: (list: Abbreviations) => void
  /** null: not loaded yet */
  marks: TextMarks | null
  mayType: boolean
  pedals: PedalUse
  /** called when the focus moves to a place in the text */
  onLeave: () => void
  /** lists and sets the keys */
  onKeys: () => void
}

/** The order's requirements as a checklist; names and words; keyboard shortcuts and abbreviations. */
export function DeskPanel(props: Props) {
  const { open, part, ticked, onTick, list, onList, marks, mayType, pedals, onLeave, onKeys } = props
  const places = useSignal(marks?.list ?? noPlaces)
  const { rework } = part.part
  return (
    <>
      {(rework.length > 0 || part.note !== '') && (
        <Notice tone="warn">
          Once more: {rework.map((reason) => reworkReasons[reason]).join('; ')}.
          {part.note !== '' && <span className="mt-1 block whitespace-pre-wrap">{part.note}</span>}
        </Notice>
      )}
      {/* Nothing came before the first typing. */}
      <Later wanted={part.part.step !== 'type' || part.set_before !== null || part.places.length > 0}>
        <ReviewSections {...{ open, part, onLeave }} />
      </Later>
      <PanelSection title={`To tick off: ${ticked.length} of ${part.sheet.length}`}>
        <div className="grid gap-1">
          {part.sheet.map(({ id, text }) => (
            <LabelledCheckbox
              key={id}
              label={text + leftWords(places, id)}
              checked={ticked.includes(id)}
              onChange={({ target }) => onTick(id, target.checked)}
            />
          ))}
        </div>
      </PanelSection>
      <StepsBefore part={part} />
      {marks !== null && <PlacesSection {...{ marks, places, mayType, onLeave }} />}
      {part.known_names.length > 0 && (
        <PanelSection title="Speakers of the whole">
          <p className="text-ink-2">{part.known_names.join(', ')}</p>
        </PanelSection>
      )}
      {part.vocabulary.length > 0 && (
        <PanelSection title="Words as they are written">
          <p className="text-ink-2">{part.vocabulary.join(', ')}</p>
        </PanelSection>
      )}
      <Later wanted={part.house_style !== ''}>
        <HouseStyle text={part.house_style} />
      </Later>
      <TypingSection onKeys={onKeys} />
      <PedalSection {...pedals} />
      <AbbreviationSection list={list} onList={onList} />
    </>
  )
}

/** The number of remaining marked places for a checklist item. */
function leftWords(places: readonly Finding[], id: string): string {
  const left = places.filter(({ point }) => point === id).length
  return left === 0 ? '' : ` · ${formatCount(left, 'place')} left`
}

function TypingSection({ onKeys }: Pick<Props, 'onKeys'>) {
  const { jumpBackSeconds, click, loopTurn } = usePreferences()
  const change = (some: Partial<ReturnType<typeof preferences.get>>) =>
    setPreferences({ ...preferences.get(), ...some })
  return (
    <PanelSection title="Typing">
      <Button className="justify-self-start" onClick={onKeys}>
        Keys <Kbd>?</Kbd>
      </Button>
      <Select
        label="After a pause"
        prefix="After a pause: "
        value={String(jumpBackSeconds)}
        options={jumpBacks.map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? 'go on there' : `${seconds} s back`,
        }))}
        onChange={(value) => change({ jumpBackSeconds: Number(value) as (typeof jumpBacks)[number] })}
      />
      <Switch
        label="A click types"
        checked={click === 'types'}
        onChange={(types) => change({ click: types ? 'types' : 'plays' })}
      />
      <Switch label="Loop what is typed" checked={loopTurn} onChange={(loop) => change({ loopTurn: loop })} />
    </PanelSection>
  )
}

/** Pedals that do not emulate keys: lists the connected ones and lets the user choose one. */
function PedalSection({ isPossible, names, problem, choose }: PedalUse) {
  return (
    <PanelSection title="Foot pedal">
      <p className="text-sm text-ink-2">
        {names.length > 0
          ? `${names.join(', ')}: sound plays while the pedal is down, the sides go back and forward.`
          : `A pedal that sends F4, F7 and F8 works as it is. ${isPossible ? 'Others are connected here.' : 'Others need Chrome or Edge.'}`}
      </p>
      {problem !== null && <Notice tone="warn">{problem}</Notice>}
      {isPossible && (
        <Button className="justify-self-start" onClick={() => void choose()}>
          {names.length > 0 ? 'Connect another' : 'Connect a pedal'}
        </Button>
      )}
    </PanelSection>
  )
}

/** Maximum number listed at once. */
const listed = 50

/** Moves the focus to the next place, or the text's page, before its button is gone. */
const leaving =
  (act: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const row = currentTarget.closest('li')
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button')
    ;(next ?? document.getElementById(pageId))?.focus({ preventScroll: true })
    act()
  }

type PlacesSectionProps = { marks: TextMarks; places: readonly Finding[]; mayType: boolean; onLeave: () => void }

/** Words that violate the order's options: go to, correct, or ignore each. */
function PlacesSection({ marks, places, mayType, onLeave }: PlacesSectionProps) {
  if (places.length === 0) return null
  return (
    <PanelSection title={`${formatCount(places.length, 'place')} to look at`}>
      <ul className="grid gap-1 text-sm">
        {places.slice(0, listed).map((place) => (
          <li key={place.id} className="flex items-center gap-1">
            <button
              type="button"
              className="min-w-0 flex-1 truncate rounded px-1 py-1 text-left hover:bg-raised"
              onClick={() => {
                onLeave()
                marks.goTo(place.id, mayType)
              }}
            >
              <bdi className="font-serif text-md">“{place.word}”</bdi>{' '}
              <span className="text-ink-3">{place.offer === null ? place.why : `should be “${place.offer}”`}</span>
            </button>
            {place.why !== 'spelling' && mayType && (
              <IconButton label={`Take out “${place.word}”`} onClick={leaving(() => marks.takeOut(place.id))}>
                <Trash2 aria-hidden />
              </IconButton>
            )}
            {place.offer !== null && mayType && (
              <IconButton label={`Write “${place.offer}”`} onClick={leaving(() => marks.accept(place))}>
                <Check aria-hidden />
              </IconButton>
            )}
            <IconButton label={`Ignore “${place.word}”`} onClick={leaving(() => marks.ignore(place.id))}>
              <EyeOff aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {places.length > listed && <p className="text-sm text-ink-3">and {places.length - listed} more behind these</p>}
    </PanelSection>
  )
}
