import { Signal } from '../../base/state/signal.ts'

/** True once a page has needed the code of uploads, or where an earlier tab may have left some on this device. */
export const uploadsWanted = new Signal(false)

/** Names of the databases that uploads and recordings are stored in. */
export const uploadsDatabase = 'parley-uploads'
export const recordingsDatabase = 'parley-recordings'

/** Looks whether this device has ever stored any: most have not, and need none of that code. */
export async function lookForUploads(): Promise<void> {
  try {
    const stored = await indexedDB.databases()
    if (!stored.some(({ name }) => name === uploadsDatabase || name === recordingsDatabase)) return
  } catch {
    // This browser does not tell; its storage, if it has any, is looked into by the uploads themselves.
  }
  uploadsWanted.set(true)
}
