import { useEffect, useEffectEvent } from 'react'
import { useDropzone } from 'react-dropzone'
import { useNavigate } from 'react-router'
import type { Session } from '../../api/client.ts'
import { Signal, useSignal } from '../../state/signal.ts'
import { addAndAnnounce } from '../tray/add-and-announce.ts'
import { addLinksToTray, type IncomingFile } from '../tray/add-to-tray.ts'
import { readLinks } from '../tray/links.ts'

const isDragging = new Signal(false)

/** True while files are held over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/** Lets recordings and folders be dropped or pasted anywhere in the app: they are added to the tray of the new order. */
export function useAppDrop(session: Session) {
  const navigate = useNavigate()

  function add(incoming: readonly IncomingFile[]) {
    if (addAndAnnounce(session, incoming) > 0) void navigate(`/${session.environment}/order`)
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
    const files = [...(event.clipboardData?.files ?? [])]
    const { links, rest } = readLinks(event.clipboardData?.getData('text') ?? '')
    if (files.length > 0) add(files.map((file) => ({ file, handle: null })))
    else if (links.length > 0 && rest.length === 0) {
      addLinksToTray(session, links)
      void navigate(`/${session.environment}/order`)
    }
  })
  useEffect(() => {
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [])

  const { getRootProps } = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDragEnter: () => isDragging.set(true),
    onDragLeave: () => isDragging.set(false),
    onDrop: (files) => {
      isDragging.set(false)
      add(files.map((file) => ({ file, handle: handleOf(file) })))
    },
  })
  return getRootProps
}

/** The handle that react-dropzone adds to a dropped file where the browser offers one. */
function handleOf(file: File): FileSystemFileHandle | null {
  return 'handle' in file && file.handle instanceof FileSystemFileHandle ? file.handle : null
}
