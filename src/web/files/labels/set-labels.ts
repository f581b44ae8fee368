import type { LabelChange } from '../../../contract/account-labels.ts'
import { changeLabels, restoreLabels } from '../../api/labels.ts'
import type { FileLibrary } from '../../library/library.ts'
import { countOf } from '../../ui/sizes.ts'
import { showToast } from '../../ui/toast.tsx'

/** Changes labels; a message says so and takes it back in one press. @throws ApiError */
export async function setLabels(library: FileLibrary, change: LabelChange, done: string): Promise<void> {
  const before = await changeLabels(library.session, change)
  library.refresh()
  if (before.length === 0) return
  const undo = async () => {
    try {
      await restoreLabels(library.session, before)
      library.refresh()
    } catch (error) {
      showToast({ tone: 'bad', title: 'Could not undo', detail: (error as Error).message })
    }
  }
  showToast({
    tone: 'ok',
    title: `${done}: ${countOf(before.length, 'file')}`,
    action: { label: 'Undo', onPress: () => void undo() },
  })
}

/** The same from a menu, where a failure is a message. */
export async function archive(library: FileLibrary, ids: readonly string[], archived: boolean): Promise<void> {
  try {
    await setLabels(library, { ids: [...ids], archived }, archived ? 'Archived' : 'Back in the list')
  } catch (error) {
    showToast({ tone: 'bad', title: 'Could not archive', detail: (error as Error).message })
  }
}
