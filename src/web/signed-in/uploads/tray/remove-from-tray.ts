import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { inspector, uploadList } from '../uploads.ts'

/** Long enough to notice that sixty lines are gone. Milliseconds. */
const undoMs = 20_000

const removal = { done: 'removed', undo: 'Undo', onUndo: () => {} }

/** Removes uploads that are not in progress; a message offers to undo it. @param how its words, if not of a removal */
export function removeFromTray(ids: readonly string[], how = removal): void {
  const before = uploadList.all()
  uploadList.remove(ids)
  const removed = before.filter((upload) => uploadList.get(upload.id) === null)
  const undo = () => {
    close()
    uploadList.restore(removed, before)
    inspector.inspect(removed.filter(({ inspection, source }) => inspection === null && source.kind === 'file'))
    how.onUndo()
  }
  const names = removed.length === 1 ? `“${removed[0]?.name}”` : formatCount(removed.length, 'file')
  const close = showToast({
    title: `${names} ${how.done}`,
    action: { label: how.undo, onPress: undo },
    stayMs: undoMs,
  })
}
