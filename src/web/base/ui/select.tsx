import { ChevronDown } from 'lucide-react'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  disabled?: boolean
  /** `quiet`: no border, as in a toolbar */
  look?: 'field' | 'quiet'
  /** shown before the chosen value, as in `Sort: newest` */
  prefix?: string
  className?: string
}

const looks = {
  field: 'h-8.5 border border-line-strong bg-surface px-3 hover:bg-sunken',
  quiet: 'h-8 px-1.5 text-ink-2 hover:text-ink',
}

/** A choice of one value from a list: the browser's native select, invisible on top of its text. */
export function Select<Value extends string>(props: Props<Value>) {
  const { label, value, options, onChange, disabled = false, look = 'field', prefix = '', className = '' } = props
  return (
    <span
      className={`relative inline-flex min-w-0 items-center justify-between gap-2 rounded-md whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:opacity-50 ${looks[look]} ${className}`}
    >
      <span aria-hidden className="truncate">
        {prefix}
        {options.find((option) => option.value === value)?.label ?? value}
      </span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as Value)}
        className="absolute inset-0 w-full cursor-default appearance-none text-ink opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
