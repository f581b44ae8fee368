import { ApiError, type Session } from '../../base/api/client.ts'
import { deleteFile, setDeleteWhenReady } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileLibrary } from './library.ts'

/** Requests that the service cannot store: this tab keeps them while it is open, and the dialogs say so. */
const localWishes = new Signal<ReadonlySet<string>>(new Set())
const wishKey = (session: Session, id: string): string => `${session.environment} ${session.account} ${id}`

/** Requests deletion of a file once it is ready, or cancels that. @param byService the service stores the request */
export async function changeDeleteWhenReady(
  session: Session,
  library: FileLibrary,
  record: FileRecord,
  on: boolean,
  byService: boolean,
): Promise<void> {
  if (byService) {
    const { deleted } = await setDeleteWhenReady(session, record.id, on)
    if (deleted) library.remove([record.id])
    else library.put({ ...record, deleteWhenReady: on })
    return
  }
  const next = new Set(localWishes.get())
  if (on) next.add(wishKey(session, record.id))
  else next.delete(wishKey(session, record.id))
  localWishes.set(next)
}

/** Deletes a file that has become ready, if this tab was asked to. */
export async function deleteIfAsked(session: Session, library: FileLibrary, record: FileRecord): Promise<void> {
  if (!localWishes.get().has(wishKey(session, record.id))) return
  await changeDeleteWhenReady(session, library, record, false, false)
  try {
    await deleteFile(session, record.id)
    library.remove([record.id])
    showToast({ title: `“${record.metadata.name}” became ready and was deleted, as you asked.` })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return library.remove([record.id])
    const detail = error instanceof ApiError ? error.message : 'Something went wrong on this page.'
    showToast({ tone: 'bad', title: `“${record.metadata.name}” is ready but could not be deleted.`, detail })
  }
}

/** Ids of the files of this account that this tab will delete when they are ready. */
export function useLocalWishes(session: Session): ReadonlySet<string> {
  const wishes = useSignal(localWishes)
  const prefix = wishKey(session, '')
  return new Set([...wishes].flatMap((wish) => (wish.startsWith(prefix) ? [wish.slice(prefix.length)] : [])))
}
