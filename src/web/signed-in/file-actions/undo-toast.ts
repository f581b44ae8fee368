import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileLibrary } from '../library/library.ts'

/** Confirms an action on files, with an undo button. Shows nothing if nothing was changed. */
export function showUndo(library: FileLibrary, done: string, count: number, takeBack: () => Promise<unknown>): void {
  library.refresh()
  if (count === 0) return
  const undo = async () => {
    try {
      await takeBack()
      library.refresh()
    } catch (error) {
      showToast({ tone: 'bad', title: 'Could not undo', detail: (error as Error).message })
    }
  }
  showToast({
    tone: 'ok',
    title: `${done}: ${formatCount(count, 'file')}`,
    action: { label: 'Undo', onPress: () => void undo() },
  })
}
