import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { inspector, uploadList } from '../uploads.ts'

/** Long enough to notice that sixty lines are gone. Milliseconds. */
const undoMs = 20_000

/** Removes uploads that are not in progress; a message offers to undo it. */
export function removeFromTray(ids: readonly string[]): void {
  const before = uploadList.all()
  uploadList.remove(ids)
  const removed = before.filter((upload) => uploadList.get(upload.id) === null)
  const undo = () => {
    close()
    uploadList.restore(removed, before)
    inspector.inspect(removed.filter(({ inspection, source }) => inspection === null && source.kind === 'file'))
  }
  const close = showToast({
    title: removed.length === 1 ? `“${removed[0]?.name}” removed` : `${formatCount(removed.length, 'file')} removed`,
    action: { label: 'Undo', onPress: undo },
    stayMs: undoMs,
  })
}
