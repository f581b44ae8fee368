import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { Balance } from '../../../contract/account/balance.ts'
import { comeBackDays } from '../../../contract/account/closing.ts'
import { closeAccount, reopenAccount } from '../../base/api/closing.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

type Props = { overview: AccountOverview }

/** The end of an account, and its way back. */
export function ClosingSection({ overview }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  if (overview.closing !== undefined) return <Closed closing={overview.closing} overview={overview} />
  return (
    <Section
      id="close"
      title="Close the account"
      words={`It orders nothing any more, and is erased after ${comeBackDays} days. Until then it can be read and exported, and come back.`}
      action={
        <Button variant="danger" onClick={() => setIsAsked(true)}>
          Close…
        </Button>
      }
    >
      {isAsked && <CloseDialog overview={overview} onClose={() => setIsAsked(false)} />}
    </Section>
  )
}

/** What becomes of the balance, and of refunds under way. */
function moneyWords({ balance_cents, due_cents }: Pick<Balance, 'balance_cents' | 'due_cents'>, currency: string) {
  const money = (cents: number) => moneyText(cents, currency)
  const balance = `The balance of ${money(balance_cents)} goes back to the card when the account is erased, or before, at your request under Money.`
  const due = `${money(due_cents)} of refunds and payments back are on the way to the card.`
  return [...(balance_cents > 0 ? [balance] : []), ...(due_cents > 0 ? [due] : [])]
}

function CloseDialog({ overview, onClose }: Props & { onClose: () => void }) {
  const session = useSession()
  const [typed, setTyped] = useState('')
  async function close() {
    const { canceled, refund_cents, finishing, ...left } = await closeAccount(session, typed)
    const refund = refund_cents === 0 ? '' : `, ${moneyText(refund_cents, overview.currency)} refunded`
    const detail = [
      canceled === 0 ? 'No order was unfinished.' : `${formatCount(canceled, 'order')} canceled${refund}.`,
      finishing === 0 ? '' : `${formatCount(finishing, 'order')} nearly done: finished.`,
      ...moneyWords(left, overview.currency),
    ]
    showToast({ title: 'The account is closed', detail: detail.filter(Boolean).join(' ') })
  }
  return (
    <FormDialog
      title="Close this account?"
      submit="Close the account"
      isDanger
      isReady={typed.trim() === overview.name.trim()}
      onSubmit={close}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>Orders below 60% are canceled now and refunded by their progress. The others are finished.</li>
        {overview.balance &&
          moneyWords(overview.balance, overview.currency).map((words) => <li key={words}>{words}</li>)}
        <li>Programs with its keys can read, and order nothing.</li>
        <li>
          After {comeBackDays} days recordings, texts, keys, settings and log are erased, here and in what a restore
          would bring back. Charges and refunds stay without names, as books must be kept.
        </li>
        <li>Take an export along first: everything in one file, above on this page.</li>
      </ul>
      <Field
        label={`Type the account’s name: ${overview.name}`}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  )
}

function Closed({ closing, overview }: Props & { closing: NonNullable<AccountOverview['closing']> }) {
  const session = useSession()
  const dates = useDates()
  const reopen = useMutation({
    mutationFn: () => reopenAccount(session),
    onSuccess: () => showToast({ tone: 'ok', title: 'The account is open again' }),
  })
  return (
    <Section
      id="close"
      worksWhileClosed
      title="This account is closed"
      words={
        <>
          It is erased on {dates.date(Date.parse(closing.erases))}. What was erased is said then{' '}
          <a href={closing.statement} className="underline underline-offset-2">
            on a page that needs no key
          </a>
          : keep its address. {overview.balance && moneyWords(overview.balance, overview.currency).join(' ')}
        </>
      }
      action={
        <Button variant="primary" disabled={reopen.isPending} onClick={() => reopen.mutate()}>
          Open it again
        </Button>
      }
    >
      {reopen.error && <Notice tone="bad">{reopen.error.message}</Notice>}
    </Section>
  )
}
