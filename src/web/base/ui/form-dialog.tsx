import { type FormEvent, type ReactNode, startTransition, useActionState, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type Props = {
  open?: boolean
  title: ReactNode
  description?: ReactNode
  /** the fields, the first of which is focused; none if it only asks for confirmation */
  children?: ReactNode
  /** label of the submit button */
  submit: ReactNode
  isDanger?: boolean
  /** false while input is missing */
  isReady?: boolean
  /** the submit handler: the button is disabled until it settles; an error is shown, otherwise the dialog closes */
  onSubmit: () => unknown
  onClose: () => void
  /** element focused on closing; by default the one that had focus before */
  finalFocus?: () => HTMLElement | null
}

/** A form in a dialog: fields, error, Cancel and submit. */
export function FormDialog(props: Props) {
  const { open = true, title, description, children, submit, isDanger = false, isReady = true } = props
  const form = useRef<HTMLFormElement>(null)
  const [error, submitted, isPending] = useActionState<Error | null>(async () => {
    try {
      await props.onSubmit()
      props.onClose()
      return null
    } catch (problem) {
      return problem as Error
    }
  }, null)
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isReady && !isPending) startTransition(submitted)
  }
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title={title}
      description={description}
      finalFocus={props.finalFocus}
      // On touch screens, focusing a field would open the keyboard. A screen reader reads a question out if its dialog
      // is focused, and only the name of a button otherwise.
      initialFocus={(openedBy) => {
        const first =
          form.current?.querySelector('input') ??
          form.current?.querySelector<HTMLElement>('textarea, select') ??
          form.current?.closest<HTMLElement>('[role="dialog"]')
        return openedBy === 'touch' || (first ?? true)
      }}
    >
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
        {children}
        {error && <Notice tone="bad">{error.message}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} disabled={!isReady || isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
