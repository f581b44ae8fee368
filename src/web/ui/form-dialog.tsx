import { type FormEvent, type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type Props = {
  open?: boolean
  title: ReactNode
  description?: ReactNode
  /** the fields, the first of which has the focus; without any it is a question */
  children?: ReactNode
  /** words of the button that submits */
  submit: ReactNode
  isDanger?: boolean
  /** false where something is missing */
  isReady?: boolean
  /** what submitting starts, such as a mutation: while it is pending it cannot be submitted again, its error is shown */
  action?: { isPending: boolean; error: Error | null }
  onSubmit: () => void
  onClose: () => void
}

/** A small form above the page. It is the caller's to close it once the action has succeeded. */
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
      firstFocus={() => form.current?.querySelector('input') ?? null}
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
