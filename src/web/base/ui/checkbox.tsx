import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & { indeterminate?: boolean }

/** A native checkbox in our colors. A single element, as each row of a list has one. Needs an `aria-label`. */
export function Checkbox({ indeterminate = false, className = '', ...rest }: Props) {
  return (
    <input
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate
      }}
      className={`checkbox ${className}`}
      {...rest}
    />
  )
}

/** A checkbox with a visible label. */
export function LabelledCheckbox({ label, ...rest }: Omit<Props, 'id'> & { label: ReactNode }) {
  const id = useId()
  return (
    <div className="flex min-h-6 items-center gap-2">
      <Checkbox id={id} {...rest} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
