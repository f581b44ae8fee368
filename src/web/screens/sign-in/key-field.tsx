import { useState } from 'react'
import { Field } from '../../base/ui/field.tsx'

type Props = {
  value: string
  error: string | null
  onChange: (value: string) => void
  label?: 'API key' | 'Staff key'
}

/** The field of an API key or staff key, masked unless revealed. */
export function KeyField({ value, error, onChange, label = 'API key' }: Props) {
  const [isShown, setIsShown] = useState(false)
  // Identifies a key among several, without revealing its secret part.
  const [beginning] = /^(\w+_)?\w{4}(?=\w{16})/.exec(value.trim()) ?? []
  return (
    <Field
      label={label}
      // Not a password field: browsers would offer to save it.
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      // Its line is always there, so that an error in its place moves nothing.
      hint={beginning !== undefined && !isShown ? `Begins with ${beginning}` : '\u00a0'}
      // Load the font only once there is text to show in it.
      className={`h-[42px] text-sm ${value === '' ? '' : 'font-mono'} ${isShown ? '' : '[-webkit-text-security:disc]'}`}
      after={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={`Show ${label}`}
          onClick={() => setIsShown(!isShown)}
          className="h-8 rounded-md px-2.5 text-sm text-ink-3 hover:text-ink"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
