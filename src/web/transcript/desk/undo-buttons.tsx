import { Redo2, Undo2 } from 'lucide-react'
import { useSignal } from '../../base/state/signal.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import type { Corrections } from '../edit/corrections.ts'

/** Undo and redo of corrections, of the text or its captions. */
export function UndoButtons({ corrections }: { corrections: Corrections }) {
  const { canUndo, canRedo } = useSignal(corrections.state)
  const isLocked = useSignal(corrections.isLocked)
  return (
    <>
      <IconButton label="Undo" disabled={isLocked || !canUndo} onClick={() => void corrections.undo()}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label="Redo" disabled={isLocked || !canRedo} onClick={() => void corrections.redo()}>
        <Redo2 aria-hidden />
      </IconButton>
    </>
  )
}
