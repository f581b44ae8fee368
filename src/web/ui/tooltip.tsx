import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

type Props = { text: string; children: ReactElement; side?: 'top' | 'bottom' | 'left' | 'right' }

/** A tooltip on hover and focus. What it says must be available elsewhere, too. */
export function Tooltip({ text, children, side = 'top' }: Props) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner side={side} sideOffset={6} className="z-50">
          <BaseTooltip.Popup className="max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-high">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
