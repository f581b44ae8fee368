import { useCallback, useEffect, useRef } from 'react'
import { useDropzone } from 'react-dropzone'
import type { Session } from '../../../base/api/client.ts'
import { type DropProps, setDragging, useAddFiles } from './dropped-files.ts'

const onDragEnter = () => setDragging(true)
const onDragLeave = () => setDragging(false)

type Props = { session: Session; onReady: (props: DropProps) => void }

/** Handles what is dragged over and dropped on the app's outermost element, which gets its props by `onReady`. */
export function DropHandlers({ session, onReady }: Props) {
  const add = useAddFiles(session)
  const handles = useDroppedHandles()
  const onDrop = useCallback(
    (files: File[]) => {
      setDragging(false)
      void add(handles().then((folders) => files.map((file) => ({ file, ...droppedPath(file, folders) }))))
    },
    [add, handles],
  )
  const without = { noClick: true, noKeyboard: true, noPaste: true }
  // Callbacks that stay the same: with others, each of our renders would be one of the whole app.
  const { getRootProps } = useDropzone({ ...without, onDragEnter, onDragLeave, onDrop })
  useEffect(() => onReady(getRootProps), [onReady, getRootProps])
  return null
}

/**
 * Folder handles of the last drop. Browsers expose them only in the drop event; react-dropzone keeps files' handles.
 */
function useDroppedHandles(): () => Promise<FileSystemDirectoryHandle[]> {
  const folders = useRef<Promise<FileSystemDirectoryHandle[]>>(Promise.resolve([]))
  useEffect(() => {
    const onDrop = ({ dataTransfer }: DragEvent) => {
      const items = [...(dataTransfer?.items ?? [])].map((item) => getFileHandle(item))
      folders.current = Promise.all(items).then((handles) =>
        handles.filter((handle) => handle instanceof FileSystemDirectoryHandle),
      )
    }
    window.addEventListener('drop', onDrop, { capture: true })
    return () => window.removeEventListener('drop', onDrop, { capture: true })
  }, [])
  return useCallback(() => folders.current, [])
}

/** How a reloaded page finds a dropped file: by the handle or path that react-dropzone adds to it. */
function droppedPath(file: File & { handle?: unknown; path?: string }, folders: readonly FileSystemDirectoryHandle[]) {
  if (file.handle instanceof FileSystemFileHandle) return { handle: file.handle }
  const [top, ...path] = (file.path ?? '').split('/').filter((name) => name !== '' && name !== '.')
  const folder = folders.find(({ name }) => name === top)
  return folder === undefined || path.length === 0 ? { handle: null } : { handle: folder, path }
}

type ItemWithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

function getFileHandle(item: ItemWithHandle): Promise<FileSystemHandle | null> | undefined {
  return item.kind === 'file' ? item.getAsFileSystemHandle?.() : undefined
}
