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
 * A button that opens a lazily loaded popup: its code is prefetched on hover or focus, and no press is lost in the
 * meantime.
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

/** True if a popup closes because its own button was pressed, which closes it anyway. */
export function isPressOn(anchor: HTMLElement | null, { reason, event }: { reason: string; event: Event }): boolean {
  return reason === 'outside-press' && event.target instanceof Node && anchor?.contains(event.target) === true
}

/** Lets Escape close a popup before its code has loaded and taken focus: it must not open afterwards. */
export function useEarlyEscape({ open, anchor, onClose }: Popup): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Safari does not focus a pressed button.
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
