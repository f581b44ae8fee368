import type { ReactNode } from 'react'
import { Later, later } from './later.tsx'
import { isPressOn, type Popup, type Trigger, useEarlyEscape, usePopupTrigger } from './popup-trigger.ts'

const base = later(async () => (await import('@base-ui/react/popover')).Popover)

type Content = { title: string; children: ReactNode; align?: 'start' | 'center' | 'end' }

/** A small panel beside its button, for a few fields. */
export function Popover({ trigger, ...content }: Content & { trigger: Trigger }) {
  const [button, popup] = usePopupTrigger(trigger, 'dialog', base.load)
  useEarlyEscape(popup)
  return (
    <>
      {button}
      <Later wanted={popup.open}>
        <OpenPopover {...popup} {...content} />
      </Later>
    </>
  )
}

function OpenPopover({ open, anchor, onClose, title, children, align = 'end' }: Popup & Content) {
  const BasePopover = base.use()
  return (
    <BasePopover.Root
      open={open}
      onOpenChange={(next, details) => {
        if (!next && !isPressOn(anchor, details)) onClose()
      }}
    >
      <BasePopover.Portal>
        <BasePopover.Positioner anchor={anchor} align={align} sideOffset={6} className="z-50">
          <BasePopover.Popup
            finalFocus={() => anchor}
            className="grid w-72 gap-3 rounded-lg border border-line bg-surface p-4 shadow-high outline-none"
          >
            <BasePopover.Title className="text-base font-semibold">{title}</BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
