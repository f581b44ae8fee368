import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type CardBehaviour,
  cardProblem,
  type NewCard,
  type PaymentMethod,
  type PaymentOverview,
} from '../../contract/account-payment.ts'
import { account } from '../api/account.ts'
import { payment, removeCard, saveCard } from '../api/payment.ts'
import { queryClient } from '../api/query-client.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Section } from './section.tsx'

const behaviourWords: Record<CardBehaviour, string> = {
  succeeds: 'pays',
  declines: 'is declined',
  fails_late: 'pays, then fails later',
}

/** The card that orders are charged to: shown by its last four digits, replaced, removed. */
export function PaymentSection() {
  const session = useSession()
  const { data, error } = useQuery(payment.overview(session))
  const [asking, setAsking] = useState<'card' | 'remove' | null>(null)
  const changed = () => {
    setAsking(null)
    void queryClient.invalidateQueries({ queryKey: account.all(session) })
  }
  const remove = useMutation({ mutationFn: () => removeCard(session), onSuccess: changed })
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
      {card && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
          <p>
            <span className="font-medium">{cardText(card)}</span>{' '}
            <span className="text-ink-3">
              good through {String(card.exp_month).padStart(2, '0')}/{card.exp_year}
            </span>
          </p>
          <Button size="sm" variant="danger-outline" onClick={() => setAsking('remove')}>
            Remove …
          </Button>
        </div>
      )}
      {card === null && <Notice tone="warn">No card is saved: orders are refused until there is one.</Notice>}
      {asking === 'card' && data && <CardDialog overview={data} onClose={() => setAsking(null)} onSaved={changed} />}
      <Dialog
        open={asking === 'remove'}
        onClose={() => setAsking(null)}
        title="Remove the card?"
        description="Orders are refused (402) until another card is saved. Files that are ordered already are not touched."
        actions={
          <>
            <Button onClick={() => setAsking(null)}>Cancel</Button>
            <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Remove the card
            </Button>
          </>
        }
      >
        {remove.error && <Notice tone="bad">{remove.error.message}</Notice>}
      </Dialog>
    </Section>
  )
}

function cardText({ brand, last_four }: PaymentMethod): string {
  return `${brand} ···· ${last_four}`
}

type CardProps = { overview: PaymentOverview; onClose: () => void; onSaved: () => void }

function CardDialog({ overview, onClose, onSaved }: CardProps) {
  const session = useSession()
  const [number, setNumber] = useState('')
  const [expiry, setExpiry] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const save = useMutation({ mutationFn: (card: NewCard) => saveCard(session, card), onSuccess: onSaved })

  function submit(event: FormEvent) {
    event.preventDefault()
    const [month = '', year = ''] = expiry.split('/').map((part) => part.trim())
    const card = { number, exp_month: Number(month), exp_year: Number(year.length === 2 ? `20${year}` : year) }
    const found = cardProblem(card, Date.now())
    setProblem(found)
    if (found === null) save.mutate(card)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={overview.payment_method ? 'Replace the card' : 'Add a card'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="card-form" variant="primary" disabled={save.isPending}>
            Save the card
          </Button>
        </>
      }
    >
      <form id="card-form" onSubmit={submit} className="grid gap-4">
        <div className="grid grid-cols-[1fr_8rem] gap-3">
          <Field
            label="Card number"
            inputMode="numeric"
            autoComplete="cc-number"
            value={number}
            onChange={(event) => setNumber(event.target.value)}
          />
          <Field
            label="Expiry"
            placeholder="MM/YY"
            autoComplete="cc-exp"
            value={expiry}
            onChange={(event) => setExpiry(event.target.value)}
          />
        </div>
        {(problem ?? save.error) && <Notice tone="bad">{problem ?? save.error?.message}</Notice>}
        {overview.test_cards && (
          <div className="grid gap-1 text-sm text-ink-2">
            <p>No money moves here. These test cards show what can happen:</p>
            <ul className="grid">
              {overview.test_cards.map((test) => (
                <li key={test.number} className="flex items-center justify-between gap-3">
                  <span>
                    <code className="font-mono text-xs">{test.number}</code> {behaviourWords[test.behaviour]}
                  </span>
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label={`Use ${test.number}`}
                    onClick={() => {
                      setNumber(test.number)
                      setExpiry(`12/${new Date().getFullYear() + 3 - 2000}`)
                    }}
                  >
                    Use
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </Dialog>
  )
}
