import { useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Later, laterPart } from '../../base/ui/later.tsx'
import type { OpenDesk } from '../../transcript/desk/open-desk.ts'

const ConflictsBar = laterPart(async () => (await import('../../transcript/panel/conflicts-dialog.tsx')).ConflictsBar)
const ConflictsDialog = laterPart(
  async () => (await import('../../transcript/panel/conflicts-dialog.tsx')).ConflictsDialog,
)

/** Words that were typed in two tabs at once: asks which to use, as customers are asked. */
export function DeskConflicts(open: OpenDesk) {
  const [isChoosing, setIsChoosing] = useState(false)
  const hasConflicts = useSignal(open.corrections.state).conflicts.length > 0
  return (
    <Later wanted={hasConflicts}>
      <ConflictsBar {...open} onChoose={() => setIsChoosing(true)} />
      <ConflictsDialog {...open} open={isChoosing} onClose={() => setIsChoosing(false)} />
    </Later>
  )
}
