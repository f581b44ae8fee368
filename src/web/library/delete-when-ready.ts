import { setDeleteWhenReady } from '../api/account.ts'
import { ApiError, type Session } from '../api/client.ts'
import { deleteFile } from '../api/files.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { Signal, useSignal } from '../state/signal.ts'
import { showToast } from '../ui/toast.tsx'
import type { FileLibrary } from './library.ts'

/** Wishes that the service does not keep: this tab does, as long as it is open, and the dialogs say so. */
const kept = new Signal<ReadonlySet<string>>(new Set())
const wishKey = (session: Session, id: string): string => `${session.environment} ${session.account} ${id}`

/** Asks that a file be deleted as soon as it is ready, or takes that back. `byService`: the service keeps the wish. */
export async function wishDeleteWhenReady(
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
  const next = new Set(kept.get())
  if (on) next.add(wishKey(session, record.id))
  else next.delete(wishKey(session, record.id))
  kept.set(next)
}

/** Carries out a wish that this tab keeps; called when a file has become ready. */
export async function deleteIfAsked(session: Session, library: FileLibrary, record: FileRecord): Promise<void> {
  if (!kept.get().has(wishKey(session, record.id))) return
  await wishDeleteWhenReady(session, library, record, false, false)
  try {
    await deleteFile(session, record.id)
    library.remove([record.id])
    showToast({ title: `“${record.metadata.name}” was ready and is deleted, as you asked.` })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return library.remove([record.id])
    const detail = error instanceof ApiError ? error.message : 'Something went wrong in this page.'
    showToast({ tone: 'bad', title: `“${record.metadata.name}” is ready but could not be deleted.`, detail })
  }
}

/** Ids of the files of this account that this tab will delete when they are ready. */
export function useKeptWishes(session: Session): ReadonlySet<string> {
  const wishes = useSignal(kept)
  const prefix = wishKey(session, '')
  return new Set([...wishes].flatMap((wish) => (wish.startsWith(prefix) ? [wish.slice(prefix.length)] : [])))
}
