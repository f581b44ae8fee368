import type { Session } from '../../../base/api/client.ts'
import { changeSettings } from '../../../base/api/settings.ts'
import { type SavedView, viewsPatch } from '../../../base/api/views.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import type { OpenView } from './use-open-view.ts'

/** Changes views by id. On failure shows a message and keeps the views as they were. @returns whether it was stored */
export async function storeViews(session: Session, patch: ReturnType<typeof viewsPatch>): Promise<boolean> {
  try {
    await changeSettings(session, patch)
    return true
  } catch (error) {
    showToast({ tone: 'bad', title: 'The views were not saved', detail: (error as Error).message })
    return false
  }
}

/** Overwrites the open view with the list as shown; a message offers to undo it. */
export async function overwriteView(
  session: Session,
  { id, name, query: before }: SavedView,
  query: string,
  open: OpenView['open'],
): Promise<void> {
  if (!(await storeViews(session, viewsPatch({ [id]: { query } })))) return
  open(id)
  const undo = () => void storeViews(session, viewsPatch({ [id]: { query: before } }))
  showToast({ tone: 'ok', title: `“${name}” saved`, action: { label: 'Undo', onPress: undo } })
}
