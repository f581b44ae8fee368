import { Button } from '../../base/ui/button.tsx'
import { PayButton, type PayProps, trayText } from './checkout.tsx'
import { cardPaysText } from './how-paid.tsx'
import { priceText } from './price-text.ts'

/** Id of the panel that the bar leads to, below a tray of any length. */
export const optionsId = 'options'

/** Total and button when the panel is below the tray: always in view, however long the tray is. */
export function PayBar(props: PayProps) {
  const { ready, total } = props.summary
  const { balance } = props
  const cardPays = balance && cardPaysText({ ...props, balance })
  return (
    <section
      aria-label="Total"
      className="sticky bottom-4 z-10 flex items-center gap-4 phone:flex-wrap rounded-lg border border-line bg-surface px-4 py-2.5 shadow-high phone:bottom-[calc(4.25rem+env(safe-area-inset-bottom))] phone:gap-x-3 phone:gap-y-2 phone:px-3 low:static"
    >
      <p className="grid min-w-0 flex-1 leading-tight tabular-nums phone:flex phone:basis-full phone:items-baseline phone:gap-2">
        {ready.length > total.unknown && <strong className="font-bold">{priceText(total, props.currency)}</strong>}
        <span className="text-xs text-ink-2">
          {trayText(props.summary)}
          {cardPays && ` · ${cardPays}`}
        </span>
      </p>
      <Button size="lg" onClick={() => document.getElementById(optionsId)?.scrollIntoView()}>
        Options
      </Button>
      <PayButton {...props} />
    </section>
  )
}
