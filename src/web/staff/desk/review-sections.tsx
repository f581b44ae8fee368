import { Trash2 } from 'lucide-react'
import type { DeskPart, ReworkPlace } from '../../../contract/work/parts.ts'
import { useSignal } from '../../base/state/signal.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import { turnTime } from '../../transcript/view/block-element.ts'
import type { PartDesk } from './part-desk.ts'

/** Maximum number listed at once. */
const listed = 50

const rowClass = 'min-w-0 flex-1 rounded px-1 py-1 text-left hover:bg-raised'

type Props = { open: PartDesk; part: DeskPart; onLeave: () => void }

/** What the step before changed, and the places that are, or will be, sent back. */
export function ReviewSections({ open, part, onLeave }: Props) {
  const changes = useSignal(open.changes.list)
  const places = useSignal(open.places.list)
  const marks = part.part.step !== 'type'
  return (
    <>
      {(marks || places.length > 0) && (
        <PanelSection title={marks ? 'To send back' : 'Places to do once more'}>
          {marks && (
            <p className="text-sm text-ink-2">
              <Kbd>M</Kbd> marks the selected words, or the turn.
            </p>
          )}
          <ul className="grid gap-1 text-sm">
            {places.map((place) => (
              <PlaceRow
                key={`${place.start} ${place.end}`}
                place={place}
                onGo={() => {
                  onLeave()
                  open.places.goTo(place)
                }}
                onRemove={marks ? () => open.places.remove(place) : null}
              />
            ))}
          </ul>
        </PanelSection>
      )}
      {part.set_before !== null && (
        <PanelSection title={`${formatCount(changes.length, 'change')} since the step before`}>
          {changes.length > 0 && (
            <p className="text-sm text-ink-2">
              Tinted in the text; <Kbd>D</Kbd> goes to the next.
            </p>
          )}
          <ol className="grid gap-1 text-sm">
            {changes.slice(0, listed).map(({ span, earlier, now }, index) => (
              <li key={`${span.from} ${index}`} className="flex">
                <button
                  type="button"
                  className={rowClass}
                  onClick={() => {
                    onLeave()
                    open.changes.goTo(index)
                  }}
                >
                  {earlier === now ? (
                    <span className="text-ink-2">speaker or turn: {now}</span>
                  ) : (
                    <>
                      <del className="text-ink-3">{earlier || '—'}</del>{' '}
                      <ins className="no-underline">{now || '—'}</ins>
                    </>
                  )}
                </button>
              </li>
            ))}
          </ol>
          {changes.length > listed && <p className="text-sm text-ink-3">and {changes.length - listed} more</p>}
        </PanelSection>
      )}
    </>
  )
}

type RowProps = { place: ReworkPlace; onGo: () => void; onRemove: (() => void) | null }

function PlaceRow({ place: { start, text }, onGo, onRemove }: RowProps) {
  return (
    <li className="flex items-center gap-1">
      <button type="button" className={`${rowClass} truncate`} onClick={onGo}>
        <span className="text-ink-3 tabular-nums">{turnTime(start)}</span> <bdi className="font-serif">“{text}”</bdi>
      </button>
      {onRemove !== null && (
        <IconButton label={`No longer mark “${text}”`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
