import { fromEvent } from 'file-selector'
import type { IncomingFile } from '../tray/add-to-tray.ts'

/** All files of what was dropped, also those in folders, with where a reloaded page finds them again. */
export async function filesOf(
  dropped: { type: string; dataTransfer: object },
  folders: readonly FileSystemDirectoryHandle[],
): Promise<IncomingFile[]> {
  const files = (await fromEvent(dropped)).filter((file) => file instanceof File)
  return files.map((file) => ({ file, ...placeOf(file, folders) }))
}

/** By the handle or the path that file-selector adds to a file. */
function placeOf(file: File & { handle?: unknown; path?: string }, folders: readonly FileSystemDirectoryHandle[]) {
  if (file.handle instanceof FileSystemFileHandle) return { handle: file.handle }
  const [top, ...path] = (file.path ?? '').split('/').filter((name) => name !== '' && name !== '.')
  const folder = folders.find(({ name }) => name === top)
  return folder === undefined || path.length === 0 ? { handle: null } : { handle: folder, path }
}
