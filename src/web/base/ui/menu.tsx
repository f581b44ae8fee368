import { Check } from 'lucide-react'
import { type FocusEvent, type ReactNode, useMemo, useRef } from 'react'
import { Later, later } from './later.tsx'
import { isPressOn, type Popup, type Trigger, useEarlyEscape, usePopupTrigger } from './popup-trigger.ts'

const base = later(async () => (await import('@base-ui/react/menu')).Menu)

const menuPopupClass =
  'min-w-44 rounded-[10px] border border-line bg-surface p-1 shadow-high outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
const menuItemClass =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 text-base outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-2'

type Align = 'start' | 'center' | 'end'

type Props = {
  /** the button that opens it */
  trigger: Trigger
  children: ReactNode
  align?: Align
}

/** A menu of commands, opened by a button; navigable by arrows, letters, Home and End. */
export function Menu({ trigger, children, align }: Props) {
  const [button, popup] = usePopupTrigger(trigger, 'menu', base.load)
  return (
    <>
      {button}
      <AnchoredMenu {...popup} align={align}>
        {children}
      </AnchoredMenu>
    </>
  )
}

type ItemProps = { children: ReactNode; onSelect: () => void; disabled?: boolean; danger?: boolean; note?: ReactNode }

/** A command. `note` is shown in gray at its end. */
export function MenuItem({ children, onSelect, disabled = false, danger = false, note }: ItemProps) {
  const BaseMenu = base.use()
  return (
    <BaseMenu.Item
      disabled={disabled}
      onClick={onSelect}
      className={`${menuItemClass} ${danger ? 'text-bad [&_svg]:text-bad' : ''}`}
    >
      {children}
      {note && <ItemNote>{note}</ItemNote>}
    </BaseMenu.Item>
  )
}

function ItemNote({ children }: { children: ReactNode }) {
  return <span className="ml-auto pl-4 text-xs text-ink-3">{children}</span>
}

type CheckProps = Omit<ItemProps, 'onSelect' | 'danger'> & {
  checked: boolean
  onChange: (checked: boolean) => void
  /** a choice among others, which closes the menu */
  closes?: boolean
}

/** A setting that is on or off; the menu stays open. */
export function MenuCheck({ children, checked, onChange, disabled = false, note, closes = false }: CheckProps) {
  const BaseMenu = base.use()
  return (
    <BaseMenu.CheckboxItem
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
      closeOnClick={closes}
      className={menuItemClass}
    >
      <span className="inline-grid size-4 place-items-center">
        <BaseMenu.CheckboxItemIndicator>
          <Check aria-hidden />
        </BaseMenu.CheckboxItemIndicator>
      </span>
      {children}
      {note && <ItemNote>{note}</ItemNote>}
    </BaseMenu.CheckboxItem>
  )
}

/** A heading above the items that follow. */
export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  const BaseMenu = base.use()
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3">{label}</BaseMenu.GroupLabel>
      {children}
    </BaseMenu.Group>
  )
}

/** A separator between groups. */
export function MenuSeparator() {
  const BaseMenu = base.use()
  return <BaseMenu.Separator className="mx-1 my-1 h-px bg-line" />
}

/** A position in the window, in pixels. */
export type Point = { x: number; y: number }

/**
 * `anchor` is the element it is positioned at while open, and that regains focus on closing; `at` is where it opens
 * instead, as the menu of a right click; `standIn` regains the focus if a command has removed the anchor.
 */
type AnchoredProps = Popup & {
  align?: Align | undefined
  at?: Point | undefined
  standIn?: () => HTMLElement | null
  children: ReactNode
}

/** One menu shared by many buttons, such as one in each row of a long list. The buttons need `aria-haspopup`. */
export function AnchoredMenu(props: AnchoredProps) {
  useEarlyEscape(props)
  return (
    <Later wanted={props.open}>
      <OpenMenu {...props} />
    </Later>
  )
}

function OpenMenu({ open, anchor, at, standIn, onClose, align = at ? 'start' : 'end', children }: AnchoredProps) {
  const BaseMenu = base.use()
  const [taken, onBlur] = useFocusTakenFrom(anchor)
  const place = useMemo(() => at && { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }, [at])
  return (
    <BaseMenu.Root
      modal={false}
      open={open}
      onOpenChange={(next, details) => {
        if (!next && !(at === undefined && isPressOn(anchor, details))) onClose()
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={place ?? anchor} align={align} sideOffset={4} className="z-50 outline-none">
          <BaseMenu.Popup
            onBlur={onBlur}
            finalFocus={() => taken() ?? (anchor?.isConnected ? anchor : (standIn?.() ?? false))}
            className={menuPopupClass}
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

/**
 * The element in a dialog or text to which a command of the menu moved the focus: Base UI may move it to the item once
 * more while the menu closes. @returns the element, if any, and what notes it
 */
function useFocusTakenFrom(anchor: HTMLElement | null) {
  const last = useRef<HTMLElement | null>(null)
  const noteTaken = (element: Element | null) => {
    const home = element?.closest('[role="dialog"], [contenteditable]')
    if (element instanceof HTMLElement && home && !home.contains(anchor)) last.current = element
  }
  const taken = () => {
    noteTaken(document.activeElement)
    const element = last.current
    last.current = null
    return element?.isConnected ? element : null
  }
  return [taken, ({ relatedTarget }: FocusEvent) => noteTaken(relatedTarget)] as const
}

/** Prefetches the menus' code, before a menu without a trigger of its own is opened. */
export function loadMenus(): void {
  void base.load()
}
