import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import type { Session } from '../../api/client.ts'
import { Signal, useSignal } from '../../state/signal.ts'
import { later } from '../../ui/later.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { IncomingFile } from '../tray/add-to-tray.ts'
import { readLinks } from '../tray/links.ts'

const tray = later(async () => ({
  ...(await import('../tray/add-and-announce.ts')),
  ...(await import('./dropped-files.ts')),
  ...(await import('../tray/add-to-tray.ts')),
}))

const isDragging = new Signal(false)

/** True while files are held over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/** Lets recordings and folders be dropped or pasted anywhere in the app: they are added to the tray of the new order. */
export function useAppDrop(session: Session) {
  const navigate = useNavigate()
  async function add(incoming: Promise<readonly IncomingFile[]>) {
    const { addAndAnnounce } = await tray.load()
    if (addAndAnnounce(session, await incoming) > 0) void navigate(`/${session.environment}/order`)
  }

  async function addLinks(links: string[]) {
    const { addLinksToTray, linksAddedText } = await tray.load()
    showToast({ title: linksAddedText(addLinksToTray(session, links)) })
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

  const onDrop = useEffectEvent((data: DataTransfer) => {
    const items = [...data.items].map(keptItem)
    const dropped = { type: 'drop', dataTransfer: { items, files: [...data.files] } }
    void add(Promise.all([tray.load(), foldersOf(items)]).then(([code, folders]) => code.filesOf(dropped, folders)))
  })
  useEffect(() => takeDrops(onDrop), [])
}

/** Takes files that are dropped anywhere in the window; text goes where the browser lets it. Returns a function that stops. */
function takeDrops(onDrop: (data: DataTransfer) => void): () => void {
  const stop = new AbortController()
  const entered = new Set<EventTarget | null>()
  const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) => {
    const takeFiles = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      listener(event)
      isDragging.set([...entered].some((target) => target instanceof Node && target.isConnected))
    }
    window.addEventListener(type, takeFiles, { signal: stop.signal })
  }
  on('dragenter', ({ target }) => {
    void tray.load()
    entered.add(target)
  })
  on('dragover', () => {})
  on('dragleave', ({ target }) => void entered.delete(target))
  on('drop', ({ dataTransfer }) => {
    entered.clear()
    if (dataTransfer !== null) onDrop(dataTransfer)
  })
  return () => stop.abort()
}

/** What was dropped, as file-selector reads it: the browser forgets it with the event, and that code may come later. */
function keptItem(item: ItemWithHandle) {
  const { kind, type } = item
  const [file, entry, handle] = [item.getAsFile(), item.webkitGetAsEntry?.() ?? null, handleOf(item)]
  const handles = handle === undefined ? {} : { getAsFileSystemHandle: () => handle }
  return { kind, type, getAsFile: () => file, webkitGetAsEntry: () => entry, ...handles }
}

async function foldersOf(items: readonly ReturnType<typeof keptItem>[]): Promise<FileSystemDirectoryHandle[]> {
  const handles = await Promise.all(items.map((item) => item.getAsFileSystemHandle?.()))
  return handles.filter((handle) => handle instanceof FileSystemDirectoryHandle)
}

type ItemWithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

function handleOf(item: ItemWithHandle): Promise<FileSystemHandle | null> | undefined {
  return item.kind === 'file' ? item.getAsFileSystemHandle?.() : undefined
}
