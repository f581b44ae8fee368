import { cloneElement, type ReactElement, useEffect, useEffectEvent, useState } from 'react'

type TriggerProps = Pick<
  React.ComponentProps<'button'>,
  'aria-haspopup' | 'aria-expanded' | 'onClick' | 'onKeyDown' | 'onPointerEnter' | 'onFocus'
> & { 'data-popup-open'?: '' | undefined }

/** The button that opens a popup. */
export type Trigger = ReactElement<TriggerProps>

/** Where a popup opens, and how it closes. */
export type Popup = { open: boolean; anchor: HTMLElement | null; onClose: () => void }

/**
 * A button that opens a popup whose code is not here yet: it begins to load when somebody points at the button or tabs to
 * it, and no press is lost until then.
 */
export function usePopupTrigger(trigger: Trigger, kind: 'menu' | 'dialog', load: () => void): [Trigger, Popup] {
  const [{ open, anchor }, setState] = useState<Omit<Popup, 'onClose'>>({ open: false, anchor: null })
  const button = cloneElement(trigger, {
    'aria-haspopup': kind,
    'aria-expanded': open,
    'data-popup-open': open ? '' : undefined,
    onPointerEnter: load,
    onFocus: load,
    onClick: ({ currentTarget }) => setState({ open: !open, anchor: currentTarget }),
    onKeyDown: (event) => {
      if (kind !== 'menu' || !/^Arrow(Down|Up)$/.test(event.key)) return
      event.preventDefault()
      setState({ open: true, anchor: event.currentTarget })
    },
  })
  return [button, { open, anchor, onClose: () => setState({ open: false, anchor }) }]
}

/** True if a popup closes because its own button is pressed, which closes it by itself. */
export function isPressOf(anchor: HTMLElement | null, { reason, event }: { reason: string; event: Event }): boolean {
  return reason === 'outside-press' && event.target instanceof Node && anchor?.contains(event.target) === true
}

/** Closes a popup by Escape also before its code is here and has taken the focus: it must not open afterwards. */
export function useEarlyEscape({ open, anchor, onClose }: Popup): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Safari leaves the focus on the page when a button is pressed.
    if (event.key !== 'Escape' || (event.target !== anchor && event.target !== document.body)) return
    event.stopPropagation()
    onClose()
  })
  useEffect(() => {
    if (!open) return
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [open])
}
