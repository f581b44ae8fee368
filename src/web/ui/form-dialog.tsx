import { type FormEvent, type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type Props = {
  open?: boolean
  title: ReactNode
  description?: ReactNode
  /** the fields, the first of which is focused; none where it only asks for confirmation */
  children?: ReactNode
  /** label of the submit button */
  submit: ReactNode
  isDanger?: boolean
  /** false while something is missing */
  isReady?: boolean
  /** what submitting starts, such as a mutation: while it is pending the button is disabled; its error is shown */
  action?: { isPending: boolean; error: Error | null }
  onSubmit: () => void
  onClose: () => void
}

/** A form in a dialog: fields, error, Cancel and submit. The caller closes it when the action has succeeded. */
export function FormDialog(props: Props) {
  const { open = true, title, description, children, submit, isDanger = false, isReady = true, action } = props
  const form = useRef<HTMLFormElement>(null)
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isReady && !action?.isPending) props.onSubmit()
  }
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title={title}
      description={description}
      // On touch screens a focused field would open the keyboard.
      initialFocus={(openedBy) => openedBy === 'touch' || (form.current?.querySelector('input') ?? true)}
    >
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        {children}
        {action?.error && <Notice tone="bad">{action.error.message}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} disabled={!isReady || action?.isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
