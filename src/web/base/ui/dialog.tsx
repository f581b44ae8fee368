import type { Dialog as BaseDialogParts } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { iconButtonClass } from './icon-button.tsx'
import { Later, later } from './later.tsx'

const base = later(async () => (await import('@base-ui/react/dialog')).Dialog)

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** buttons, the primary one last */
  actions?: ReactNode
  /** element focused on opening; by default the first control */
  initialFocus?: BaseDialogParts.Popup.Props['initialFocus']
  /** element focused on closing; by default the one that had focus before */
  finalFocus?: (() => HTMLElement | null) | undefined
  width?: 'sm' | 'md' | 'lg'
}

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl' }

/** A modal dialog. Escape and a click outside close it; focus returns to the previous element. */
export function Dialog(props: Props) {
  return (
    <Later wanted={props.open}>
      <OpenDialog {...props} />
    </Later>
  )
}

function OpenDialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  initialFocus,
  finalFocus,
  width = 'sm',
}: Props) {
  const BaseDialog = base.use()
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 grid place-items-center overflow-y-auto p-4">
          <BaseDialog.Popup
            initialFocus={initialFocus}
            finalFocus={finalFocus}
            className={`grid w-full gap-4 rounded-lg border border-line bg-surface p-5 shadow-high outline-none transition data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0 ${widths[width]}`}
          >
            <div className="flex items-start justify-between gap-4">
              <div className="grid min-w-0 gap-1">
                <BaseDialog.Title className="text-md font-semibold text-balance break-words whitespace-pre-wrap">
                  {title}
                </BaseDialog.Title>
                {description && <BaseDialog.Description className="text-ink-2">{description}</BaseDialog.Description>}
              </div>
              <BaseDialog.Close aria-label="Close" className={`${iconButtonClass} -mt-1 -mr-1`}>
                <X aria-hidden />
              </BaseDialog.Close>
            </div>
            {children}
            {actions && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
