import { Check, EyeOff } from 'lucide-react'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { countOf } from '../../base/ui/sizes.ts'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import type { Finding } from './check-text.ts'
import type { TextMarks } from './text-marks.ts'

/** Maximum number listed at once. */
const listed = 50

type Props = { marks: TextMarks; places: readonly Finding[]; mayType: boolean; onLeave: () => void }

/** Words that violate the order's options: go to, correct, or ignore each. */
export function PlacesSection({ marks, places, mayType, onLeave }: Props) {
  if (places.length === 0) return null
  return (
    <PanelSection title={`${countOf(places.length, 'place')} to look at`}>
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
            {place.offer !== null && mayType && (
              <IconButton label={`Write “${place.offer}”`} onClick={() => marks.accept(place)}>
                <Check aria-hidden />
              </IconButton>
            )}
            <IconButton label={`Ignore “${place.word}”`} onClick={() => marks.ignore(place.id)}>
              <EyeOff aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {places.length > listed && <p className="text-sm text-ink-3">and {places.length - listed} more behind these</p>}
    </PanelSection>
  )
}
