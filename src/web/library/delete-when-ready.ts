import { useSyncExternalStore } from 'react'
import { setDeleteWhenReady } from '../api/account.ts'
import { ApiError, type Session } from '../api/client.ts'
import { deleteFile } from '../api/files.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { showToast } from '../ui/toast.tsx'
import type { FileLibrary } from './library.ts'

/*
 * Where the service does not keep the wish, this tab does, as long as it is open; the dialogs say so.
 */
let kept: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()
const wishKey = (session: Session, id: string): string => `${session.environment} ${session.account} ${id}`

function keep(next: ReadonlySet<string>): void {
  kept = next
  for (const listener of listeners) listener()
}

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
  const next = new Set(kept)
  if (on) next.add(wishKey(session, record.id))
  else next.delete(wishKey(session, record.id))
  keep(next)
}

/** Carries out a wish that this tab keeps; called when a file has become ready. */
export async function deleteIfAsked(session: Session, library: FileLibrary, record: FileRecord): Promise<void> {
  if (!kept.has(wishKey(session, record.id))) return
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
  const wishes = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => kept,
  )
  const prefix = wishKey(session, '')
  return new Set([...wishes].flatMap((wish) => (wish.startsWith(prefix) ? [wish.slice(prefix.length)] : [])))
}
