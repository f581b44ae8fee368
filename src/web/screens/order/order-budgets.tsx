import { Link } from 'react-router'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { warnShare } from '../../base/ui/budget-line.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import type { LinkLimit } from './link-limit.tsx'
import type { TraySummary } from './priced-tray.ts'

/** A most that orders may cost, of the account or of the key in use, and what they have cost. */
export type OrderBudget = {
  readonly of: 'account' | 'key'
  readonly budgetCents: number
  readonly spentCents: number
  /** by calendar month, not in all */
  readonly isMonthly: boolean
}

/** The budgets that hold for whatever is ordered; those of projects are asked about apart. */
export function listBudgets(overview: AccountOverview | null | undefined): OrderBudget[] {
  const budgets: OrderBudget[] = []
  const { balance, key_limits } = overview ?? {}
  if (balance?.budget) {
    const { budget_cents: budgetCents, spent_cents: spentCents, budget_per } = balance.budget
    budgets.push({ of: 'account', budgetCents, spentCents, isMonthly: budget_per === 'month' })
  }
  if (key_limits && key_limits.month_limit_cents !== null) {
    const { month_limit_cents: budgetCents, month_spent_cents: spentCents } = key_limits
    budgets.push({ of: 'key', budgetCents, spentCents, isMonthly: true })
  }
  if (key_limits?.total_limit_cents != null) {
    const { total_limit_cents: budgetCents, total_spent_cents: spentCents = 0 } = key_limits
    budgets.push({ of: 'key', budgetCents, spentCents, isMonthly: false })
  }
  return budgets
}

type Ordered = { summary: TraySummary; linkLimit: LinkLimit | null }

/** What will have been spent once this is ordered, links at their most. */
function spentAfter({ summary: { ready }, linkLimit }: Ordered, { spentCents }: OrderBudget): number {
  return ready.reduce((sum, { price }) => sum + (price?.cents ?? linkLimit?.cents ?? 0), spentCents)
}

/** Whether the service would refuse it: it costs more than the account or the key may spend. */
export function isOverBudget(budgets: readonly OrderBudget[], ordered: Ordered): boolean {
  return budgets.some((each) => {
    const after = spentAfter(ordered, each)
    return after > each.spentCents && after > each.budgetCents
  })
}

const names = { account: 'the account', key: 'your key' }

type Props = Ordered & { budgets: readonly OrderBudget[]; currency: string; environment: Environment }

/** From 80 % of a budget on: what this order leaves of it, or that it is refused. */
export function BudgetNotices({ budgets, currency, environment, ...ordered }: Props) {
  return budgets.map((each) => {
    const spent = spentAfter(ordered, each)
    if (spent === each.spentCents || spent < warnShare * each.budgetCents) return null
    const [after, most] = [spent, each.budgetCents].map((cents) => moneyText(cents, currency))
    const period = each.isMonthly ? ' this month' : ''
    return (
      <Notice key={`${each.of} ${each.isMonthly}`} tone="warn">
        {spent > each.budgetCents
          ? `With this order ${names[each.of]} would spend ${after}${period}, more than its budget of ${most}. It would be refused.`
          : `With this order ${names[each.of]} has spent ${after} of its budget of ${most}${period}.`}{' '}
        {each.of === 'account' ? (
          <Link to={`/${environment}/settings/money#balance`} className="font-semibold underline">
            Change the budget
          </Link>
        ) : (
          'Whoever manages the account can raise it.'
        )}
      </Notice>
    )
  })
}
