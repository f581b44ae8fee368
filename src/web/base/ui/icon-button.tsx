import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & { label: string; tooltip?: boolean }

export const iconButtonClass =
  'inline-grid size-8 shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:bg-sunken hover:text-ink disabled:opacity-50 [&_svg]:size-4'

/** Classes of a toggled button; they work in forced-colors mode too. */
export const pressedClass = 'aria-pressed:bg-accent-soft aria-pressed:text-accent aria-pressed:forced-chosen'

/** An icon-only button. Its label is its accessible name and its tooltip. */
export function IconButton({ label, tooltip = true, className = '', type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      aria-label={label}
      data-tooltip={tooltip ? label : undefined}
      className={`${iconButtonClass} ${className}`}
      {...rest}
    />
  )
}
