import { type DBSchema, openDB } from 'idb'

/** The subset of the File System Access API used here; only Chromium has it, and TypeScript's DOM types do not. */
type Handle = {
  getFile(): Promise<File>
  queryPermission(options: { mode: 'read' }): Promise<PermissionState>
  requestPermission(options: { mode: 'read' }): Promise<PermissionState>
}
type Picker = (options: { id: string }) => Promise<[Handle]>

interface Schema extends DBSchema {
  handles: { key: string; value: Handle }
}

const open = () => openDB<Schema>('parley-attached', 1, { upgrade: (made) => void made.createObjectStore('handles') })

const picker = (): Picker | undefined => (window as { showOpenFilePicker?: Picker }).showOpenFilePicker

/** True if a picked file can be read again after a reload. */
export const canStoreHandles = (): boolean => picker() !== undefined

/** Shows the file picker and stores the file's handle for this transcript. @returns null if none was picked */
export async function pickAndStore(document: string): Promise<File | null> {
  try {
    const [handle] = (await picker()?.({ id: 'parley' })) ?? []
    if (handle === undefined) return null
    await (await open()).put('handles', handle, document)
    return await handle.getFile()
  } catch {
    // The browser throws if the picker is closed without a choice.
    return null
  }
}

/**
 * Reads the file whose handle is stored for this transcript; null if there is none or permission is missing.
 * @param ask requests permission if needed, which the browser only allows within a click
 */
export async function loadStoredFile(document: string, ask: boolean): Promise<File | null> {
  try {
    const handle = await (await open()).get('handles', document)
    if (handle === undefined) return null
    const permission = ask
      ? await handle.requestPermission({ mode: 'read' })
      : await handle.queryPermission({ mode: 'read' })
    return permission === 'granted' ? await handle.getFile() : null
  } catch {
    return null
  }
}
