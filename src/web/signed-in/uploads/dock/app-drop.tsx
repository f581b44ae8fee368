import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Session } from '../../../base/api/client.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { showToast } from '../../../base/ui/toast.tsx'
import { readLinks } from '../tray/links.ts'
import { type DropProps, tray, useAddFiles } from './dropped-files.ts'

const DropHandlers = laterPart(async () => (await import('./drop-handlers.tsx')).DropHandlers)

/** `isReady`: `onReady` was called. */
type Props = { session: Session; isReady: boolean; onReady: (props: DropProps) => void }

/**
 * Accepts recordings and folders dropped or pasted anywhere in the app. The code for drops comes with the first move of
 * a mouse: a page's first view does without.
 */
export function AppDrop({ session, isReady, onReady }: Props) {
  usePastes(session)
  useEarlyDrops(isReady)
  return (
    <Later wanted={useFirstMove()}>
      <DropHandlers session={session} onReady={onReady} />
    </Later>
  )
}

function usePastes(session: Session): void {
  const navigate = useNavigate()
  const add = useAddFiles(session)
  async function addLinks(links: string[]) {
    const { addLinksAndAnnounce } = await tray.load()
    await addLinksAndAnnounce(session, links)
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
}

/** Until drops can be handled, the browser must not open the file in the place of the page. */
function useEarlyDrops(isReady: boolean): void {
  useEffect(() => {
    if (isReady) return
    const onOver = (event: DragEvent) => event.preventDefault()
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      const detail = 'The page was still loading. Drop the files again.'
      if (event.dataTransfer?.types.includes('Files')) showToast({ tone: 'bad', title: 'Nothing was added', detail })
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('drop', onDrop)
    }
  }, [isReady])
}

/** True from the first move of a mouse, or of dragged files, on. */
function useFirstMove(): boolean {
  const [isMoved, setIsMoved] = useState(false)
  useEffect(() => {
    const onMove = () => setIsMoved(true)
    const types = ['mousemove', 'dragenter'] as const
    for (const type of types) window.addEventListener(type, onMove, { once: true })
    return () => {
      for (const type of types) window.removeEventListener(type, onMove)
    }
  }, [])
  return isMoved
}
