import { type DBSchema, openDB } from 'idb'

/** The part of the File System Access API that is used; only Chromium has it, and its types are not in the DOM library. */
type Handle = {
  getFile(): Promise<File>
  queryPermission(options: { mode: 'read' }): Promise<PermissionState>
  requestPermission(options: { mode: 'read' }): Promise<PermissionState>
}
type Picker = (options: { id: string }) => Promise<[Handle]>

interface Schema extends DBSchema {
  handles: { key: string; value: Handle }
}

const open = () => openDB<Schema>('parley-recordings', 1, { upgrade: (made) => void made.createObjectStore('handles') })

const picker = (): Picker | undefined => (window as { showOpenFilePicker?: Picker }).showOpenFilePicker

/** True where a picked file can be found again after a reload. */
export const canStoreHandles = (): boolean => picker() !== undefined

/** Asks for a file and remembers where it is for this transcript. @returns null where the person picked none */
export async function pickAndStore(document: string): Promise<File | null> {
  try {
    const [handle] = (await picker()?.({ id: 'parley' })) ?? []
    if (handle === undefined) return null
    await (await open()).put('handles', handle, document)
    return await handle.getFile()
  } catch {
    // Closing the picker is an error to the browser, and none to anybody else.
    return null
  }
}

/**
 * The file that was attached before.
 * @param ask may ask the person for leave to read it again, which only a press allows
 */
export async function loadStoredFile(document: string, ask: boolean): Promise<File | null> {
  try {
    const handle = await (await open()).get('handles', document)
    if (handle === undefined) return null
    const given = ask
      ? await handle.requestPermission({ mode: 'read' })
      : await handle.queryPermission({ mode: 'read' })
    return given === 'granted' ? await handle.getFile() : null
  } catch {
    return null
  }
}
