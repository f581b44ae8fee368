import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { type Balance, type BalanceSettings, type BudgetPer, isTopUp } from '../../../contract/account/balance.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { account } from '../../base/api/account.ts'
import { balance, changeBalance, payOutBalance } from '../../base/api/balance.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { BudgetLine } from '../../base/ui/budget-line.tsx'
import { BudgetPeriod } from '../../base/ui/budget-period.tsx'
import { Button } from '../../base/ui/button.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { readCents } from '../../base/ui/read-cents.ts'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { Movements } from './balance-movements.tsx'
import { BankAsks, PayIn, sumLimits } from './pay-in.tsx'
import { Section } from './section.tsx'

/** What orders are paid from: how much it is, what fills it, where refunds go, what changed it. */
export function BalanceSection({ overview }: { overview: AccountOverview }) {
  const { currency, payment_method, free_minutes: free } = overview
  const hasCard = payment_method !== null
  const session = useSession()
  const { data, error, refetch } = useQuery(balance.current(session))
  const [isPayingOut, setPayingOut] = useState(false)
  const [isPayingIn, setPayingIn] = useState(false)
  const [bankPage, setBankPage] = useState<string | null>(null)
  const onChanged = () => queryClient.invalidateQueries({ queryKey: account.all(session) })
  return (
    <Section
      id="balance"
      worksWhileClosed
      title="Balance"
      words={howPaid(hasCard)}
      action={
        <div className="flex flex-wrap gap-2">
          {data !== undefined && hasCard && (
            <Changes>
              <Button onClick={() => setPayingIn(true)}>Pay in…</Button>
            </Changes>
          )}
          {data !== undefined && data.balance_cents > 0 && (
            <Button onClick={() => setPayingOut(true)}>Pay back to the card…</Button>
          )}
        </div>
      }
    >
      {error && <UnreadNotice what="The balance" error={error} onAgain={() => void refetch()} />}
      {data === undefined && !error && <Skeleton className="h-24" />}
      {bankPage !== null && <BankAsks page={bankPage} />}
      {data?.taken_back && <TakenBack {...data.taken_back} currency={currency} />}
      {data && <Amount balance={data} currency={currency} />}
      {free && (
        <p className="text-ink-2 tabular-nums">
          {clockText(free.left_seconds)} of {clockText(free.month_seconds)} free automated minutes are left this month.
        </p>
      )}
      <Changes>
        {data && <Budget balance={data} currency={currency} onChanged={onChanged} />}
        {data && <Choices balance={data} currency={currency} onChanged={onChanged} />}
      </Changes>
      <Movements currency={currency} />
      {isPayingIn && data && payment_method && (
        <PayIn
          {...{ currency, card: payment_method, onChanged, firstCents: data.top_up_cents }}
          onAsked={setBankPage}
          onClose={() => setPayingIn(false)}
        />
      )}
      {isPayingOut && data && (
        <FormDialog
          title={`Pay ${moneyText(data.balance_cents, currency)} back to the card?`}
          description="It goes to the cards that it came from: it is sent at once, and banks take some days. The next order charges the card again."
          submit="Pay back"
          onSubmit={async () => {
            await payOutBalance(session)
            await onChanged()
            showToast({ tone: 'ok', title: 'The balance is on its way to the card' })
          }}
          onClose={() => setPayingOut(false)}
        />
      )}
    </Section>
  )
}

const howPaid = (hasCard: boolean) =>
  hasCard
    ? 'Orders are paid from it. When it does not cover one, the card pays in first.'
    : 'Orders are paid from it once a card is saved. Without a card every order is refused, whatever the balance.'

function TakenBack({ cents, created, currency }: NonNullable<Balance['taken_back']> & { currency: string }) {
  const dates = useDates()
  return (
    <Notice tone="bad">
      Your bank took back {moneyText(cents, currency)} on {dates.date(Date.parse(created))}: ask it why. Orders that are
      unpaid since, if any, stand below.
    </Notice>
  )
}

function Amount({ balance: { balance_cents, due_cents }, currency }: { balance: Balance; currency: string }) {
  return (
    <p className="border-t border-line pt-3 tabular-nums">
      <strong className="text-xl font-bold tracking-tight">{moneyText(balance_cents, currency)}</strong>
      {due_cents > 0 && (
        <span className="ml-3 text-ink-2">{moneyText(due_cents, currency)} on the way back to the card</span>
      )}
    </p>
  )
}

type ChoicesProps = { balance: Balance; currency: string; onChanged: () => Promise<void> }

function Choices({ balance: { top_up_cents, refunds_to }, currency, onChanged }: ChoicesProps) {
  const session = useSession()
  // What is typed stays when another tab saves.
  const [changed, setTyped] = useState<string | null>(null)
  const typed = changed ?? centsToDecimal(top_up_cents)
  const change = useMutation({
    mutationFn: (settings: BalanceSettings) => changeBalance(session, settings),
    onSuccess: async (_, settings) => {
      await onChanged()
      if (settings.top_up_cents !== undefined) setTyped(null)
      showToast({ tone: 'ok', title: 'Saved' })
    },
  })
  const cents = readCents(typed)
  const isGood = isTopUp(cents)
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <form
        className="grid max-w-sm gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isGood) change.mutate({ top_up_cents: cents })
        }}
      >
        <Field
          label={`What the card pays in, ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          hint="As many times as an order needs."
          error={isGood ? null : sumLimits}
        />
        <Button
          type="submit"
          className="justify-self-start"
          disabled={!isGood || cents === top_up_cents || change.isPending}
        >
          Save
        </Button>
      </form>
      <div className="grid max-w-md gap-1.5">
        <span className="font-medium">Refunds go</span>
        <Segmented
          label="Refunds go"
          value={refunds_to}
          options={[
            { value: 'card', label: 'To the card' },
            { value: 'balance', label: 'To the balance' },
          ]}
          onChange={(to) => change.mutate({ refunds_to: to })}
        />
        <p className="text-sm text-ink-3">
          {refunds_to === 'card' ? 'On the next business day.' : 'At once, for further orders.'}
        </p>
      </div>
      {change.error && <Notice tone="bad">{change.error.message}</Notice>}
    </div>
  )
}

/** The most that orders may cost, a month or in all. */
function Budget({ balance: { budget }, currency, onChanged }: ChoicesProps) {
  const session = useSession()
  // What is typed stays when another tab saves.
  const [changed, setTyped] = useState<string | null>(null)
  const typed = changed ?? (budget === undefined ? '' : centsToDecimal(budget.budget_cents))
  const [changedPer, setPer] = useState<BudgetPer | null>(null)
  const per = changedPer ?? budget?.budget_per ?? 'month'
  const change = useMutation({
    mutationFn: (budget_cents: number | null) => changeBalance(session, { budget_cents, budget_per: per }),
    onSuccess: async () => {
      await onChanged()
      setTyped(null)
      setPer(null)
      showToast({ tone: 'ok', title: 'Budget saved' })
    },
  })
  const isNone = typed.trim() === ''
  const isGood = isNone || readCents(typed) > 0
  const money = (cents: number) => moneyText(cents, currency)
  return (
    <form
      className="grid gap-2 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) change.mutate(isNone ? null : readCents(typed))
      }}
    >
      <div className="grid max-w-sm gap-2">
        <Field
          label={`Budget of the account, ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          hint="Orders that would cost more are refused. Leave it empty for none."
          error={isGood ? null : 'Enter 0.01 to 9,999,999.99.'}
        />
        {!isNone && <BudgetPeriod value={per} onChange={setPer} />}
      </div>
      {budget && (
        <BudgetLine
          words={`${money(budget.spent_cents)} of ${money(budget.budget_cents)} ${budget.budget_per === 'month' ? 'spent this month; refunds do not lower it' : 'spent, less refunds'}.`}
          spentCents={budget.spent_cents}
          budgetCents={budget.budget_cents}
          beyond="Orders that cost more are refused."
        />
      )}
      <Button type="submit" className="justify-self-start" disabled={!isGood || change.isPending}>
        Save budget
      </Button>
      {change.error && <Notice tone="bad">{change.error.message}</Notice>}
    </form>
  )
}
