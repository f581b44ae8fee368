import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Session } from '../base/api/client.ts'
import { Later, laterPart } from '../base/ui/later.tsx'
import { shortcutKey } from '../base/ui/shortcut-key.ts'

const CommandPalette = laterPart(async () => (await import('./command-palette.tsx')).CommandPalette)
const KeysHelp = laterPart(async () => (await import('./keys-help.tsx')).KeysHelp)

type Props = { session: Session; onSignOut: () => void }
type Open = 'palette' | 'keys' | null

/** Overlays that a key opens on any page: the palette (Ctrl-K) and the keyboard shortcuts (`?`). */
export function Overlays(props: Props) {
  const [open, setOpen] = useState<Open>(null)
  const focused = useRef<Element | null>(null)
  useOpeningKeys((change) => {
    if (open === null) focused.current = document.activeElement
    setOpen(change)
  })
  const takeTyped = useEarlyTyping(open === 'palette')
  const onClose = () => setOpen(null)
  return (
    <>
      <Later wanted={open === 'palette'}>
        <CommandPalette
          {...props}
          open={open === 'palette'}
          takeTyped={takeTyped}
          returnFocus={() => returnFocus(focused.current)}
          onClose={onClose}
          onShowKeys={() => setOpen('keys')}
        />
      </Later>
      <Later wanted={open === 'keys'}>
        <KeysHelp open={open === 'keys'} onClose={onClose} />
      </Later>
    </>
  )
}

/** Focuses what had the focus when an overlay was opened, or the block of text that was drawn again since; else the page. */
function returnFocus(focused: Element | null): void {
  const block = focused instanceof HTMLElement ? focused.dataset.block : undefined
  const drawn = block === undefined ? null : document.querySelector(`[data-block="${block}"]`)
  const isThere = focused?.isConnected && focused !== document.body
  const target = isThere ? focused : (drawn ?? document.getElementById('content'))
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

function useOpeningKeys(onOpen: (change: (open: Open) => Open) => void): void {
  const setOpen = useEffectEvent(onOpen)
  // Before the first paint: a key pressed as soon as the page is visible must not be missed.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const opened = openedBy(event)
      if (opened === null) return
      event.preventDefault()
      setOpen((last) => (last === opened ? null : opened))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/**
 * Buffers typing from the moment the palette opens until its field has the focus, hiding it from the page's shortcuts.
 * @returns takes the buffered text and stops buffering
 */
function useEarlyTyping(isWanted: boolean): () => string {
  const typed = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!isWanted) return
    typed.current ??= ''
    const onKey = (event: KeyboardEvent) => {
      if (typed.current === null || event.key.length > 1 || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      typed.current += event.key
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      typed.current = null
      window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [isWanted])
  return () => {
    const early = typed.current ?? ''
    typed.current = null
    return early
  }
}

function openedBy(event: KeyboardEvent): Open {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
  if (shortcutKey(event) === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey) return 'palette'
  const isTyping = (target as HTMLElement).closest('input, textarea, [contenteditable], [role="dialog"]') !== null
  return key === '?' && !isTyping ? 'keys' : null
}
