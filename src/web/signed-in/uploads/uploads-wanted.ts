import { Signal } from '../../base/state/signal.ts'

/** True once a page has needed the code of uploads, or if an earlier tab may have left some on this device. */
export const uploadsWanted = new Signal(false)

/** Names of the databases of uploads and recordings. */
export const uploadsDatabase = 'parley-uploads'
export const recordingsDatabase = 'parley-recordings'

/** Checks whether this device has ever stored uploads: most have not, and need none of their code. */
export async function lookForUploads(): Promise<void> {
  try {
    const stored = await indexedDB.databases()
    if (!stored.some(({ name }) => name === uploadsDatabase || name === recordingsDatabase)) return
  } catch {
    // This browser cannot list databases; the uploads inspect its storage, if it has any.
  }
  uploadsWanted.set(true)
}
