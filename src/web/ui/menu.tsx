import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

export const menuPopupClass =
  'min-w-44 rounded-[10px] border border-line bg-surface p-1 shadow-high outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
export const menuItemClass =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 text-base outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-2'

type Props = {
  /** the button that opens it */
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'center' | 'end'
}

/** A menu of commands, opened by a button; arrows, letters, Home and End move in it. */
export function Menu({ trigger, children, align = 'end' }: Props) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} sideOffset={4} className="z-50 outline-none">
          <BaseMenu.Popup className={menuPopupClass}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

type ItemProps = { children: ReactNode; onSelect: () => void; disabled?: boolean; danger?: boolean; note?: ReactNode }

/** A command. `note` is shown in grey at its end. */
export function MenuItem({ children, onSelect, disabled = false, danger = false, note }: ItemProps) {
  return (
    <BaseMenu.Item
      disabled={disabled}
      onClick={onSelect}
      className={`${menuItemClass} ${danger ? 'text-bad [&_svg]:text-bad' : ''}`}
    >
      {children}
      {note && <span className="ml-auto pl-4 text-xs text-ink-3">{note}</span>}
    </BaseMenu.Item>
  )
}

type CheckProps = { children: ReactNode; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }

/** A setting that is on or off; the menu stays open. */
export function MenuCheck({ children, checked, onChange, disabled = false }: CheckProps) {
  return (
    <BaseMenu.CheckboxItem
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
      closeOnClick={false}
      className={menuItemClass}
    >
      <span className="inline-grid size-4 place-items-center">
        <BaseMenu.CheckboxItemIndicator>
          <Check aria-hidden />
        </BaseMenu.CheckboxItemIndicator>
      </span>
      {children}
    </BaseMenu.CheckboxItem>
  )
}

/** A heading over the items that follow. */
export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3">{label}</BaseMenu.GroupLabel>
      {children}
    </BaseMenu.Group>
  )
}

/** A line between groups. */
export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-1 my-1 h-px bg-line" />
}

type AnchoredProps = {
  /** the element it is positioned at while open, and that is focused afterwards; null: closed */
  anchor: HTMLElement | null
  onClose: () => void
  children: ReactNode
}

/** One menu for many buttons, such as one in each row of a long list. The buttons need `aria-haspopup`. */
export function AnchoredMenu({ anchor, onClose, children }: AnchoredProps) {
  return (
    <BaseMenu.Root
      modal={false}
      open={anchor !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} align="end" sideOffset={4} className="z-50 outline-none">
          <BaseMenu.Popup finalFocus={() => anchor} className={menuPopupClass}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
