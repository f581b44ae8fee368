import type { ComponentProps, MouseEvent } from 'react'

type Variant = 'primary' | 'sandbox' | 'secondary' | 'quiet' | 'danger' | 'danger-outline'
type Size = 'md' | 'sm' | 'lg'

const variants: Record<Variant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  // Sandbox payments must not look like real ones.
  sandbox: 'border-transparent bg-sandbox text-on-sandbox hover:opacity-90',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'border-transparent bg-bad text-on-bad hover:opacity-90',
  'danger-outline': 'border-line-strong bg-surface text-bad hover:border-bad hover:bg-bad-soft',
}

const sizes: Record<Size, string> = {
  sm: 'h-7 gap-2 px-2.5 text-sm',
  md: 'h-8.5 gap-2.5 px-3.5 text-sm',
  lg: 'h-10.5 gap-2.5 px-4 text-sm',
}

/** Classes that style a link as a button. */
export function buttonClass(variant: Variant = 'secondary', size: Size = 'md', extra = ''): string {
  return `inline-flex shrink-0 items-center justify-center rounded-md border font-semibold whitespace-nowrap select-none transition-colors disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 ${variants[variant]} ${sizes[size]} ${extra}`
}

type Props = ComponentProps<'button'> & { variant?: Variant; size?: Size }

/** The second press of a double click would pay, delete or send again. */
function ignoreRepeat(event: MouseEvent): void {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}

/** A button; `type="button"` by default. Those that stand out act once in a double click. */
export function Button({ variant = 'secondary', size = 'md', className = '', type = 'button', ...rest }: Props) {
  const once = /^(primary|sandbox|danger)$/.test(variant) ? { onClickCapture: ignoreRepeat } : {}
  return <button type={type} className={buttonClass(variant, size, className)} {...once} {...rest} />
}
