import { useEffect, useEffectEvent } from 'react'
import { useDropzone } from 'react-dropzone'
import { useNavigate } from 'react-router'
import type { Session } from '../../api/client.ts'
import { Signal, useSignal } from '../../state/signal.ts'
import { readLinks } from '../tray/links.ts'
import { takeAndTell } from '../tray/take-and-tell.ts'
import { type TakenFile, takeInLinks } from '../tray/take-in.ts'

const isDragging = new Signal(false)

/** True while files are held over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/** Makes the whole app take dropped and pasted recordings and folders: they land in the tray of the new order. */
export function useAppDrop(session: Session) {
  const navigate = useNavigate()

  function take(taken: readonly TakenFile[]) {
    if (takeAndTell(session, taken) > 0) void navigate(`/${session.environment}/order`)
  }

  const takePasted = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
    const files = [...(event.clipboardData?.files ?? [])]
    const { links, rest } = readLinks(event.clipboardData?.getData('text') ?? '')
    if (files.length > 0) take(files.map((file) => ({ file, handle: null })))
    else if (links.length > 0 && rest.length === 0) {
      takeInLinks(session, links)
      void navigate(`/${session.environment}/order`)
    }
  })
  useEffect(() => {
    window.addEventListener('paste', takePasted)
    return () => window.removeEventListener('paste', takePasted)
  }, [])

  const { getRootProps } = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDragEnter: () => isDragging.set(true),
    onDragLeave: () => isDragging.set(false),
    onDrop: (files) => {
      isDragging.set(false)
      take(files.map((file) => ({ file, handle: handleOf(file) })))
    },
  })
  return getRootProps
}

/** The handle that react-dropzone hangs on a dropped file where the browser gives one. */
function handleOf(file: File): FileSystemFileHandle | null {
  return 'handle' in file && file.handle instanceof FileSystemFileHandle ? file.handle : null
}
