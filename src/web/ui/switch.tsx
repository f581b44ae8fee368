import { Switch as BaseSwitch } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { useId } from 'react'

type Props = {
  label: ReactNode
  /** grey text after the label, such as a surcharge */
  note?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A setting that is on or off and takes effect at once. The whole line is its label. */
export function Switch({ label, note, checked, onChange, disabled = false }: Props) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center justify-between gap-4">
      <label htmlFor={id} className={disabled ? 'text-ink-3' : ''}>
        {label} {note && <span className="text-ink-3">{note}</span>}
      </label>
      <BaseSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        className="relative inline-flex h-[18px] w-[30px] shrink-0 rounded-full bg-edge transition-colors before:absolute before:-inset-[5px] before:content-[''] data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-[14px] translate-x-0.5 translate-y-0.5 rounded-full bg-knob transition-transform data-checked:translate-x-3.5" />
      </BaseSwitch.Root>
    </div>
  )
}
