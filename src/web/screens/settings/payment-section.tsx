import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  cardBehaviours,
  expiryOf,
  type PaymentMethod,
  testCards,
  toldBeforeExpiryMs,
} from '../../../contract/account/payment.ts'
import { account } from '../../base/api/account.ts'
import { chooseTestCard, openCardPage, payment, removeCard } from '../../base/api/payment.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Button } from '../../base/ui/button.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { leaveFor, useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

/** The card charged for orders: a named test card, or one entered on the provider's own page. */
export function PaymentSection() {
  const session = useSession()
  const { data, error } = useQuery(payment.overview(session))
  const [isRemoving, setRemoving] = useState(false)
  const onChanged = () => void queryClient.invalidateQueries({ queryKey: account.all(session) })
  const card = data?.payment_method
  return (
    <Section
      id="payment"
      title="Payment"
      words={
        data?.test_cards
          ? 'No money moves here: test cards show what can happen.'
          : 'Charged when an order needs more than the balance has. The payment provider asks for the number; it never comes here.'
      }
      action={data?.test_cards === false && <CardPageButton hasCard={card !== null} />}
    >
      {error && <Notice tone="bad">The payment method could not be loaded. {error.message}</Notice>}
      {data === undefined && !error && <Skeleton className="h-9" />}
      {card && <ExpiryNotice card={card} />}
      {card && <SavedCard card={card} onRemove={() => setRemoving(true)} />}
      {card === null && <Notice tone="warn">No card is saved. Add one before you order.</Notice>}
      {data?.test_cards && <TestCards onChanged={onChanged} />}
      {isRemoving && (
        <FormDialog
          title="Remove the card?"
          description="Orders fail (402) until you save another card. Files already ordered are not affected."
          submit="Remove card"
          isDanger
          onSubmit={() => removeCard(session).then(onChanged)}
          onClose={() => setRemoving(false)}
        />
      )}
    </Section>
  )
}

function CardPageButton({ hasCard }: { hasCard: boolean }) {
  const session = useSession()
  const open = useMutation({
    mutationFn: () => openCardPage(session),
    onSuccess: (url) => leaveFor(url, session),
  })
  return (
    <div className="grid justify-items-end gap-2">
      <Button onClick={() => open.mutate()} disabled={open.isPending}>
        {hasCard ? 'Replace card…' : 'Add card…'}
      </Button>
      {open.error && <Notice tone="bad">{open.error.message}</Notice>}
    </div>
  )
}

function TestCards({ onChanged }: { onChanged: () => void }) {
  const session = useSession()
  const choose = useMutation({
    mutationFn: (behavior: (typeof cardBehaviours)[number]) => chooseTestCard(session, behavior),
    onSuccess: onChanged,
  })
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
      {cardBehaviours.map((behavior) => (
        <Button key={behavior} size="sm" onClick={() => choose.mutate(behavior)} disabled={choose.isPending}>
          {testCards[behavior].brand}
        </Button>
      ))}
      {choose.error && <Notice tone="bad">{choose.error.message}</Notice>}
    </div>
  )
}

/** Told for a month before the card stops paying, and from then on. */
function ExpiryNotice({ card }: { card: PaymentMethod }) {
  const [now] = useState(Date.now)
  const ends = expiryOf(card)
  if (ends > now + toldBeforeExpiryMs) return null
  return ends > now ? (
    <Notice tone="warn">
      This card expires at the end of its month. Replace it in time, or orders will be refused.
    </Notice>
  ) : (
    <Notice tone="bad">This card has expired. Add another one before you order.</Notice>
  )
}

function SavedCard({ card, onRemove }: { card: PaymentMethod; onRemove: () => void }) {
  const { brand, last_four, exp_month, exp_year } = card
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <p>
        <span className="font-medium">{`${brand} ···· ${last_four}`}</span>{' '}
        <span className="text-ink-3">
          expires {String(exp_month).padStart(2, '0')}/{exp_year}
        </span>
      </p>
      <Button size="sm" variant="danger-outline" onClick={onRemove}>
        Remove…
      </Button>
    </div>
  )
}
