import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { splitSpeakerNames } from '../../../contract/interface/order-options.ts'

type Props = {
  label: string
  names: readonly string[]
  /** names from earlier orders */
  suggestions: readonly string[]
  onChange: (names: string[]) => void
  disabled: boolean
  /** shown in the empty field; null: none can be added */
  placeholder?: string | null
}

/** Names as chips: Enter or a comma adds, Backspace in the empty field removes the last one. */
export function SpeakerNames({ label, names, suggestions, onChange, disabled, placeholder = 'Add a name' }: Props) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id}>{label}</label>
      <div className="flex min-h-8.5 flex-wrap items-center gap-1.5 rounded-md border border-edge bg-surface px-1.5 py-1 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-disabled:opacity-60">
        {names.map((name) => (
          <span key={name} className="flex items-center rounded-full bg-sunken pl-2 text-xs font-medium text-ink-2">
            {name}
            <button
              type="button"
              aria-label={`Remove ${name}`}
              disabled={disabled}
              onClick={() => onChange(names.filter((other) => other !== name))}
              className="grid size-6 place-items-center rounded-full hover:text-ink"
            >
              <X aria-hidden className="size-3" />
            </button>
          </span>
        ))}
        {placeholder !== null && (
          <NewName
            id={id}
            disabled={disabled}
            placeholder={placeholder}
            suggestions={suggestions.filter((name) => !names.includes(name))}
            onAdd={(added) => onChange([...new Set([...names, ...added])])}
            onRemoveLast={() => onChange(names.slice(0, -1))}
          />
        )}
      </div>
    </div>
  )
}

type NewProps = {
  id: string
  placeholder: string
  suggestions: readonly string[]
  disabled: boolean
  onAdd: (names: readonly string[]) => void
  onRemoveLast: () => void
}

function NewName({ id, placeholder, suggestions, disabled, onAdd, onRemoveLast }: NewProps) {
  const [text, setText] = useState('')
  const add = (entered: string) => {
    const names = splitSpeakerNames(entered)
    if (names.length > 0) onAdd(names)
    setText('')
  }
  return (
    <>
      <input
        id={id}
        list={`${id}-names`}
        value={text}
        disabled={disabled}
        placeholder={placeholder}
        autoComplete="off"
        onChange={({ target, nativeEvent }) => {
          // Choosing a suggestion fires an input event without typing.
          const isChosen = !(nativeEvent instanceof InputEvent) && suggestions.includes(target.value)
          if (isChosen || target.value.includes(',')) add(target.value)
          else setText(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            add(text)
          }
          if (event.key === 'Backspace' && text === '') onRemoveLast()
        }}
        onBlur={() => add(text)}
        className="h-6 min-w-20 flex-1 bg-transparent px-1 outline-none"
      />
      <datalist id={`${id}-names`}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
