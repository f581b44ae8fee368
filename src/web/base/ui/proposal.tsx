import { Button } from './button.tsx'
import { formatCount } from './sizes.ts'

type Props = { heard: string; written: string; places: number; onAlways: () => void; onNo: () => void }

/** Asks whether a repeated correction should always be applied. */
export function Proposal({ heard, written, places, onAlways, onNo }: Props) {
  return (
    <>
      <p>
        “{heard}” was corrected to <strong className="font-semibold">{written}</strong> {formatCount(places, 'time')}.
        Always?
      </p>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Always write ${written}`} onClick={onAlways}>
          Always
        </Button>
        <Button size="sm" variant="quiet" aria-label={`No, not always ${written}`} onClick={onNo}>
          No
        </Button>
      </div>
    </>
  )
}
