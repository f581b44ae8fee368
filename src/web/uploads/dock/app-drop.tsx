import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import type { Session } from '../../api/client.ts'
import { Signal, useSignal } from '../../state/signal.ts'
import { later } from '../../ui/later.tsx'
import type { IncomingFile } from '../tray/add-to-tray.ts'
import { readLinks } from '../tray/links.ts'

const tray = later(async () => ({
  ...(await import('../tray/add-and-announce.ts')),
  ...(await import('../tray/add-to-tray.ts')),
  ...(await import('file-selector')),
}))
const isDragging = new Signal(false)

/** True while files are held over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/** Lets recordings and folders be dropped or pasted anywhere in the app: they are added to the tray of the new order. */
export function useAppDrop(session: Session): void {
  const navigate = useNavigate()

  async function add(incoming: Promise<readonly IncomingFile[]>) {
    const { addAndAnnounce } = await tray.load()
    if (addAndAnnounce(session, await incoming) > 0) void navigate(`/${session.environment}/order`)
  }

  async function addLinks(links: string[]) {
    const { addLinksToTray } = await tray.load()
    addLinksToTray(session, links)
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
  const onDrop = useEffectEvent((event: DragEvent) => void add(dropped(event)))
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('paste', onPaste, stop)
    followDrags(onDrop, stop)
    return () => stop.abort()
  }, [])
}

/** Calls back with files that are dropped, and says while they are held over the page. */
function followDrags(onDrop: (event: DragEvent) => void, { signal }: AbortController): void {
  /** elements that files are over: of one and another inside it, the second is entered before the first is left */
  let depth = 0
  function on(kind: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) {
    const withFiles = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Otherwise the browser would open the file in place of the app.
      event.preventDefault()
      listener(event)
      isDragging.set(depth > 0)
    }
    window.addEventListener(kind, withFiles, { signal })
  }
  on('dragenter', () => {
    void tray.load()
    depth += 1
  })
  on('dragover', () => {})
  on('dragleave', () => {
    depth -= 1
  })
  on('drop', (event) => {
    depth = 0
    onDrop(event)
  })
}

/** What was dropped, folders opened. The browser gives it only while it tells of the drop, so it is taken at once. */
async function dropped({ dataTransfer }: DragEvent): Promise<IncomingFile[]> {
  const items = [...(dataTransfer?.items ?? [])].map((item) => {
    const [file, entry, handle] = [item.getAsFile(), item.webkitGetAsEntry(), handleOf(item)]
    return {
      kind: item.kind,
      getAsFile: () => file,
      webkitGetAsEntry: () => entry,
      getAsFileSystemHandle: () => handle,
    }
  })
  const { fromEvent } = await tray.load()
  const found = await fromEvent({ type: 'drop', dataTransfer: { items, files: [] } })
  const handles = await Promise.all(items.map((item) => item.getAsFileSystemHandle()))
  const folders = handles.filter((handle) => handle instanceof FileSystemDirectoryHandle)
  return found.flatMap((file) => (file instanceof File ? [{ file, ...placeOf(file, folders) }] : []))
}

/** Where a reloaded page finds a dropped file again: by the handle or the path that file-selector adds to it. */
function placeOf(file: File & { handle?: unknown; path?: string }, folders: readonly FileSystemDirectoryHandle[]) {
  if (file.handle instanceof FileSystemFileHandle) return { handle: file.handle }
  const [top, ...path] = (file.path ?? '').split('/').filter((name) => name !== '' && name !== '.')
  const folder = folders.find(({ name }) => name === top)
  return folder === undefined || path.length === 0 ? { handle: null } : { handle: folder, path }
}

type ItemWithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

function handleOf(item: ItemWithHandle): Promise<FileSystemHandle | null> | undefined {
  return item.kind === 'file' ? item.getAsFileSystemHandle?.() : undefined
}
