import { useState } from 'react'
import { type CardBehaviour, cardProblem, type NewCard, type PaymentOverview } from '../../contract/account-payment.ts'
import { saveCard } from '../api/payment.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

const behaviourWords: Record<CardBehaviour, string> = {
  succeeds: 'pays',
  declines: 'is declined',
  fails_late: 'pays, then fails later',
}

/** As it is typed: `4242 4242 4242 4242` and `12/39` or `12/2039`. */
type TypedCard = { number: string; expiry: string }

function readCard({ number, expiry }: TypedCard): NewCard {
  const [month = '', year = ''] = expiry.split('/').map((part) => part.trim())
  return { number, exp_month: Number(month), exp_year: Number(year.length === 2 ? `20${year}` : year) }
}

type Props = { overview: PaymentOverview; onClose: () => void; onSaved: () => void }

/** Asks for a card; its number and date are checked before it is sent. */
export function CardDialog({ overview, onClose, onSaved }: Props) {
  const session = useSession()
  const [typed, setTyped] = useState<TypedCard>({ number: '', expiry: '' })
  async function save() {
    const card = readCard(typed)
    const problem = cardProblem(card, Date.now())
    if (problem !== null) throw new Error(problem)
    await saveCard(session, card)
    onSaved()
  }
  return (
    <FormDialog
      title={overview.payment_method ? 'Replace the card' : 'Add a card'}
      submit="Save the card"
      onSubmit={save}
      onClose={onClose}
    >
      <CardFields typed={typed} onType={setTyped} />
      {overview.test_cards && <TestCards cards={overview.test_cards} onUse={setTyped} />}
    </FormDialog>
  )
}

function CardFields({ typed, onType }: { typed: TypedCard; onType: (typed: TypedCard) => void }) {
  return (
    <div className="grid grid-cols-[1fr_8rem] gap-3">
      <Field
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        value={typed.number}
        onChange={(event) => onType({ ...typed, number: event.target.value })}
      />
      <Field
        label="Expiry"
        placeholder="MM/YY"
        autoComplete="cc-exp"
        value={typed.expiry}
        onChange={(event) => onType({ ...typed, expiry: event.target.value })}
      />
    </div>
  )
}

type TestCardsProps = { cards: NonNullable<PaymentOverview['test_cards']>; onUse: (card: TypedCard) => void }

function TestCards({ cards, onUse }: TestCardsProps) {
  const expiry = `12/${new Date().getFullYear() + 3 - 2000}`
  return (
    <div className="grid gap-1 text-sm text-ink-2">
      <p>No money moves here. These test cards show what can happen:</p>
      <ul className="grid">
        {cards.map(({ number, behaviour }) => (
          <li key={number} className="flex items-center justify-between gap-3">
            <span>
              <code className="font-mono text-xs">{number}</code> {behaviourWords[behaviour]}
            </span>
            <Button size="sm" variant="quiet" aria-label={`Use ${number}`} onClick={() => onUse({ number, expiry })}>
              Use
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
