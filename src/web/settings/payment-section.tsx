import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentMethod } from '../../contract/account-payment.ts'
import { account } from '../api/account.ts'
import { payment, removeCard } from '../api/payment.ts'
import { queryClient } from '../api/query-client.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CardDialog } from './card-dialog.tsx'
import { Section } from './section.tsx'

/** The card that orders are charged to: shown by its last four digits, replaced, removed. */
export function PaymentSection() {
  const session = useSession()
  const { data, error } = useQuery(payment.overview(session))
  const [asking, setAsking] = useState<'card' | 'remove' | null>(null)
  const close = () => setAsking(null)
  const onChanged = () => void queryClient.invalidateQueries({ queryKey: account.all(session) })
  const card = data?.payment_method
  return (
    <Section
      id="payment"
      title="Payment"
      words="Charged for each file when its upload completes. The number is never kept."
      action={data && <Button onClick={() => setAsking('card')}>{card ? 'Replace the card …' : 'Add a card …'}</Button>}
    >
      {error && <Notice tone="bad">The payment method could not be read. {error.message}</Notice>}
      {data === undefined && !error && <Skeleton className="h-9" />}
      {card && <SavedCard card={card} onRemove={() => setAsking('remove')} />}
      {card === null && <Notice tone="warn">No card is saved: orders are refused until there is one.</Notice>}
      {asking === 'card' && data && <CardDialog overview={data} onClose={close} onSaved={onChanged} />}
      {asking === 'remove' && (
        <FormDialog
          title="Remove the card?"
          description="Orders are refused (402) until another card is saved. Files that are ordered already are not touched."
          submit="Remove the card"
          isDanger
          onSubmit={() => removeCard(session).then(onChanged)}
          onClose={close}
        />
      )}
    </Section>
  )
}

function SavedCard({ card, onRemove }: { card: PaymentMethod; onRemove: () => void }) {
  const { brand, last_four, exp_month, exp_year } = card
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <p>
        <span className="font-medium">{`${brand} ···· ${last_four}`}</span>{' '}
        <span className="text-ink-3">
          good through {String(exp_month).padStart(2, '0')}/{exp_year}
        </span>
      </p>
      <Button size="sm" variant="danger-outline" onClick={onRemove}>
        Remove …
      </Button>
    </div>
  )
}
