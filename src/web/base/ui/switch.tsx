import type { ReactNode } from 'react'
import { useId } from 'react'

type Props = {
  label: ReactNode
  /** gray text after the label, such as a surcharge */
  note?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** An on/off setting that takes effect immediately. The whole line is its label. */
export function Switch({ label, note, checked, onChange, disabled = false }: Props) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center justify-between gap-4">
      <label htmlFor={id} className={disabled ? 'text-ink-3' : ''}>
        {label} {note && <span className="text-ink-3">{note}</span>}
      </label>
      <input
        type="checkbox"
        role="switch"
        id={id}
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        disabled={disabled}
        className="relative h-4.5 w-7.5 shrink-0 appearance-none rounded-full bg-edge transition-colors before:absolute before:-inset-[5px] after:absolute after:top-0.5 after:left-0.5 after:size-3.5 after:rounded-full after:bg-knob after:transition-transform checked:bg-accent checked:after:translate-x-3 disabled:opacity-50 forced-colors:bg-[Canvas] forced-colors:outline forced-colors:after:bg-[CanvasText] forced-colors:checked:bg-[Highlight]"
      />
    </div>
  )
}
