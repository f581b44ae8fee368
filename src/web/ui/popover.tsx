import { Popover as BasePopover } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

type Props = { trigger: ReactElement; title: string; children: ReactNode; align?: 'start' | 'center' | 'end' }

/** A small panel beside its button, for a few fields. */
export function Popover({ trigger, title, children, align = 'end' }: Props) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner align={align} sideOffset={6} className="z-50">
          <BasePopover.Popup className="grid w-72 gap-3 rounded-lg border border-line bg-surface p-4 shadow-high outline-none">
            <BasePopover.Title className="text-base font-semibold">{title}</BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
