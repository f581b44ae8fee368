import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type Props = { what: string; error: Error; onAgain: () => void }

/** A part of the page failed to load: why, and a retry. `what` begins the sentence: "The usage". */
export function UnreadNotice({ what, error, onAgain }: Props) {
  return (
    <Notice
      tone="bad"
      action={
        <Button size="sm" onClick={onAgain}>
          Try again
        </Button>
      }
    >
      {what} could not be loaded. {error.message}
    </Notice>
  )
}
