import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'id'> & {
  indeterminate?: boolean
  /** words beside it; without them give it an `aria-label` */
  label?: ReactNode
}

/** A native checkbox in our colours: one element, as a list has one in each row. */
export function Checkbox({ indeterminate = false, label, className = '', ...rest }: Props) {
  const id = useId()
  const box = (
    <input
      id={id}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate
      }}
      className={`checkbox ${className}`}
      {...rest}
    />
  )
  if (label === undefined) return box
  return (
    <div className="flex min-h-6 items-center gap-2">
      {box}
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
