import { ProgressBar } from './progress-bar.tsx'

type Props = {
  /** `$8.40 of $10.00 spent this month` */
  words: string
  spentCents: number
  budgetCents: number
  /** what becomes of orders beyond it, as a sentence */
  beyond: string
}

/** From this share of a budget on, pages warn. */
export const warnShare = 0.8

/** How much of a budget is spent. It warns from 80 %, and is red above 100 %. */
export function BudgetLine({ words, spentCents, budgetCents, beyond }: Props) {
  const share = spentCents / budgetCents
  const tone = share > 1 ? 'bad' : share >= warnShare ? 'warn' : 'accent'
  const warning = share >= 1 ? beyond : `${Math.floor(share * 100)}% is spent.`
  return (
    <div className="grid content-start gap-1.5">
      <p className="tabular-nums">
        {words}
        {share >= warnShare && <span className="text-warn"> {warning}</span>}
      </p>
      <ProgressBar label="Budget" percent={share * 100} tone={tone} />
    </div>
  )
}
