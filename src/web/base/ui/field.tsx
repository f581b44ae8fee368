import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

export const inputClass =
  'h-8.5 w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 text-ink outline-offset-0 focus-visible:outline-2 focus-visible:outline-accent aria-invalid:border-bad disabled:opacity-60'

type Shared = {
  label: string
  /** shown below the field unless there is an error */
  hint?: ReactNode
  /** the error message; marks the field invalid */
  error?: ReactNode
  labelHidden?: boolean
  /** inside the field, at its end */
  after?: ReactNode
}

type Props = Omit<ComponentProps<'input'>, 'id'> & Shared & { id?: string }

/** A text field with its label, hint and error, associated for assistive technology. */
export function Field({ label, hint, error, labelHidden = false, after, className = '', id, ...rest }: Props) {
  const ownId = useId()
  const inputId = id ?? ownId
  const noteId = `${inputId}-note`
  const note = error ?? hint
  return (
    <div className="grid gap-1.5">
      <label htmlFor={inputId} className={labelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <div className="relative">
        <input
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
          className={`${inputClass} ${after ? 'pr-16' : ''} ${className}`}
          {...rest}
        />
        {after && <div className="absolute inset-y-0 right-1 flex items-center">{after}</div>}
      </div>
      <p id={noteId} role={error ? 'alert' : undefined} hidden={!note} className={noteClass(error)}>
        {note}
      </p>
    </div>
  )
}

function noteClass(error: ReactNode): string {
  return `text-sm ${error ? 'text-bad' : 'text-ink-3'}`
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'id'> & Omit<Shared, 'after'>

/** A multi-line text field with its label, hint and error. */
export function TextArea({ label, hint, error, labelHidden = false, className = '', ...rest }: AreaProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <textarea
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={`${inputClass} h-auto min-h-14 py-2 ${className}`}
        {...rest}
      />
      <p id={`${id}-note`} role={error ? 'alert' : undefined} hidden={!note} className={noteClass(error)}>
        {note}
      </p>
    </div>
  )
}
