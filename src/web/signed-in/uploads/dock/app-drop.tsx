import { useEffect, useEffectEvent, useRef } from 'react'
import { useDropzone } from 'react-dropzone'
import { matchPath, useNavigate } from 'react-router'
import type { Session } from '../../../base/api/client.ts'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { later } from '../../../base/ui/later.tsx'
import type { IncomingFile } from '../tray/add-to-tray.ts'
import { readLinks } from '../tray/links.ts'

const tray = later(async () => ({
  ...(await import('../tray/add-and-announce.ts')),
  ...(await import('../tray/add-to-tray.ts')),
}))

const isDragging = new Signal(false)

/** True while files are dragged over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/**
 * Accepts recordings and folders dropped or pasted anywhere in the app, and adds them to the tray of the new order.
 * @returns props that make the app's outermost element accept drops
 */
export function useAppDrop(session: Session) {
  const navigate = useNavigate()
  const handles = useDroppedHandles()
  async function add(incoming: Promise<readonly IncomingFile[]>) {
    const { addAndAnnounce } = await tray.load()
    const openOrder = () => void navigate(`/${session.environment}/order`)
    const batch = matchPath('/:environment/order/:batch', location.pathname)?.params.batch
    if (addAndAnnounce(session, await incoming, batch === undefined ? null : { batch, openOrder })) openOrder()
  }

  async function addLinks(links: string[]) {
    const { addLinksAndAnnounce } = await tray.load()
    addLinksAndAnnounce(session, links)
    void navigate(`/${session.environment}/order`)
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
    const files = [...(event.clipboardData?.files ?? [])]
    const { links, rest } = readLinks(event.clipboardData?.getData('text') ?? '')
    if (files.length > 0) void add(Promise.resolve(files.map((file) => ({ file, handle: null }))))
    else if (links.length > 0 && rest.length === 0) void addLinks(links)
  })
  useEffect(() => {
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [])

  return useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDragEnter: () => {
      void tray.load()
      isDragging.set(true)
    },
    onDragLeave: () => isDragging.set(false),
    onDrop: (files) => {
      isDragging.set(false)
      void add(handles().then((folders) => files.map((file) => ({ file, ...droppedPath(file, folders) }))))
    },
  }).getRootProps
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
  return () => folders.current
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
