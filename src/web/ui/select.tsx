import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { menuItemClass, menuPopupClass } from './menu.tsx'

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
  field: 'h-[34px] border border-line-strong bg-surface px-3 hover:bg-sunken',
  quiet: 'h-8 px-1.5 text-ink-2 hover:text-ink',
}

/** A choice of one of several values, from a list that opens. */
export function Select<Value extends string>(props: Props<Value>) {
  const { label, value, options, onChange, disabled = false, look = 'field', prefix = '', className = '' } = props
  const shown = options.find((option) => option.value === value)?.label ?? value
  return (
    <BaseSelect.Root
      value={value}
      items={options as { value: Value; label: string }[]}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
    >
      <BaseSelect.Trigger
        aria-label={`${label}: ${shown}`}
        className={`inline-flex items-center justify-between gap-2 rounded-md whitespace-nowrap data-disabled:opacity-50 ${looks[look]} ${className}`}
      >
        <span className="truncate">
          {prefix}
          {shown}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <BaseSelect.Popup
            className={`${menuPopupClass} max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto`}
          >
            {options.map((option) => (
              <BaseSelect.Item key={option.value} value={option.value} className={menuItemClass}>
                <BaseSelect.ItemText className="flex-1">{option.label}</BaseSelect.ItemText>
                <BaseSelect.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  )
}
