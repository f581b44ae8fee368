import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** Classes of one part of a segmented control, also for links styled like one. @param on true for the chosen part */
export function segmentClass(on: boolean): string {
  return `grid h-7 flex-1 place-items-center rounded-md px-3 text-sm font-medium whitespace-nowrap select-none transition-colors ${
    on
      ? 'bg-raised font-semibold text-ink shadow-low forced-chosen forced-colors:text-[HighlightText]'
      : 'text-ink-2 hover:text-ink'
  }`
}

export const segmentedClass = 'flex gap-0.5 rounded-[10px] bg-sunken p-0.5'

/** A choice of one of a few values, all visible. Native radio buttons, so arrow keys move between them. */
export function Segmented<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={segmentedClass}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={`${segmentClass(option.value === value)} has-focus-visible:outline-2 has-focus-visible:outline-accent`}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
