import { Play, X } from 'lucide-react'
import { ApiError, type Session } from '../../../base/api/client.ts'
import { askForReReview } from '../../../base/api/re-review.ts'
import { useSignal } from '../../../base/state/signal.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { Field } from '../../../base/ui/field.tsx'
import { FormDialog } from '../../../base/ui/form-dialog.tsx'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import type { Desk } from '../../desk/desk.ts'
import { makeBody, type Place, type Places } from './places.ts'

/** Maximum length of a place's note, as in the API. */
const maxNote = 500

type Props = { desk: Desk; places: Places; session: Session; id: string; open: boolean; onClose: () => void }

/** The list of places, each with a note, before sending: after that nothing can be added. */
export function SendDialog({ desk, places, session, id, open, onClose }: Props) {
  const list = useSignal(places.list)
  async function send() {
    try {
      await askForReReview(session, id, makeBody(list))
      showToast({ tone: 'ok', title: `Sent to be re-reviewed: ${formatCount(list.length, 'place')}` })
    } catch (error) {
      // Somebody else in the account has already sent a request: nothing to send. Other errors can be retried.
      if (!(error instanceof ApiError && error.status === 409)) throw error
      showToast({ tone: 'bad', title: 'Your places were not sent', detail: error.message })
    }
    places.list.set([])
    places.marking.set(false)
  }
  return (
    <FormDialog
      open={open}
      title="Send these places to be re-reviewed?"
      description="It is free and can be done once: nothing can be added later. The transcript stays ready, and the new version replaces it when it is done."
      submit={`Send ${formatCount(list.length, 'place')}`}
      isReady={list.length > 0}
      onSubmit={send}
      onClose={onClose}
    >
      <ol aria-label="Places" className="-mx-1 grid max-h-[45vh] gap-3 overflow-y-auto px-1 pb-1">
        {list.map((place) => (
          <Row key={place.start} desk={desk} place={place} onChange={(change) => places.change(place, change)} />
        ))}
      </ol>
    </FormDialog>
  )
}

type RowProps = { desk: Desk; place: Place; onChange: (change: Partial<Place> | null) => void }

function Row({ desk, place, onChange }: RowProps) {
  const { start, end, text, note } = place
  const at = clockText(start)
  return (
    <li className="grid gap-1">
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 truncate">
          <span className="text-sm text-ink-3 tabular-nums">{at}</span> <bdi className="font-serif">“{text}”</bdi>
        </p>
        <IconButton label={`Play ${at}`} tooltip={false} onClick={() => desk.playback.playStretch(start, end)}>
          <Play aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${at}`} tooltip={false} onClick={() => onChange(null)}>
          <X aria-hidden />
        </IconButton>
      </div>
      <Field
        label={`What is wrong at ${at}`}
        labelHidden
        placeholder="What is wrong? (optional)"
        maxLength={maxNote}
        value={note}
        onChange={({ target }) => onChange({ note: target.value })}
      />
    </li>
  )
}
