import { Check, Minus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'id'> & {
  indeterminate?: boolean
  /** words beside it; without them give it an `aria-label` */
  label?: ReactNode
}

/** A native checkbox in our colours, 16 px with a target of 24. */
export function Checkbox({ indeterminate = false, label, className = '', ...rest }: Props) {
  const id = useId()
  const box = (
    <span className={`relative inline-grid size-4 shrink-0 place-items-center ${className}`}>
      <input
        id={id}
        type="checkbox"
        ref={(element) => {
          if (element) element.indeterminate = indeterminate
        }}
        className="peer size-4 appearance-none rounded-sm border border-edge bg-surface before:absolute before:-inset-1 before:content-[''] checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50"
        {...rest}
      />
      {indeterminate ? (
        <Minus aria-hidden className="pointer-events-none absolute size-3 text-on-accent" strokeWidth={3} />
      ) : rest.checked === false ? null : (
        <Check
          aria-hidden
          className="pointer-events-none absolute size-3 text-on-accent opacity-0 peer-checked:opacity-100"
          strokeWidth={3}
        />
      )}
    </span>
  )
  if (label === undefined) return box
  return (
    <div className="flex min-h-6 items-center gap-2">
      {box}
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
