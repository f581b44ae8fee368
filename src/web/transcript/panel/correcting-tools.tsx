import { useState } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'

const FillersDialog = laterPart(async () => (await import('./fillers-dialog.tsx')).FillersDialog)
const TypingDialog = laterPart(async () => (await import('./typing-dialog.tsx')).TypingDialog)

/** Opens the dialogs for correcting: fillers and typing settings. */
export function CorrectingTools({ desk, correcting }: { desk: Desk; correcting: Correcting }) {
  const [open, setOpen] = useState<'fillers' | 'typing' | null>(null)
  // A new key resets the fillers dialog each time it opens, but keeps it mounted while it fades out.
  const [times, setTimes] = useState(0)
  const onClose = () => setOpen(null)
  const onFillers = () => {
    setTimes(times + 1)
    setOpen('fillers')
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={onFillers}>
        Fillers…
      </Button>
      <Button size="sm" onClick={() => setOpen('typing')}>
        Playback settings…
      </Button>
      <Later wanted={open === 'fillers'}>
        <FillersDialog key={times} {...{ desk, correcting, onClose }} open={open === 'fillers'} />
      </Later>
      <Later wanted={open === 'typing'}>
        <TypingDialog open={open === 'typing'} onClose={onClose} />
      </Later>
    </div>
  )
}
