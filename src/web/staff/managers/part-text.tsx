import { useQuery } from '@tanstack/react-query'
import type { ManagedPart } from '../../../contract/work/managers.ts'
import { managing } from '../../base/api/work-managers.ts'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { turnTime } from '../../transcript/view/block-element.ts'
import { placeWords } from '../part-words.ts'
import { useStaff } from '../staff-session.ts'

type Props = { part: ManagedPart; of: number; onClose: () => void }

/** The text of a part as it stands now, to be read by whoever decides about its steps. */
export function PartText({ part, of, onClose }: Props) {
  const { session } = useStaff()
  const { data, error } = useQuery(managing.text(session, part.id))
  return (
    <Dialog open onClose={onClose} title={placeWords({ ...part, of })} width="lg">
      {error !== null && <Notice tone="warn">{error.message}</Notice>}
      {data?.turns.length === 0 && <p className="text-ink-2">There are no words yet.</p>}
      <ol className="grid gap-3 text-left">
        {data?.turns.map(({ start, speaker, text }) => (
          <li key={`${start} ${text}`}>
            <p className="text-sm text-ink-2">
              <span className="tabular-nums">{turnTime(start)}</span> {speaker}
            </p>
            <p dir="auto" className="font-serif">
              {text}
            </p>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
