import type { FileLibrary } from '../library/library.ts'
import { countOf } from '../ui/sizes.ts'
import { showToast } from '../ui/toast.tsx'

/** Shows what was done to files, and takes it back in one press. Where nothing was changed it shows nothing. */
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
    title: `${done}: ${countOf(count, 'file')}`,
    action: { label: 'Undo', onPress: () => void undo() },
  })
}
