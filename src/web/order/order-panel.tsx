import type { AccountOverview } from '../../contract/account.ts'
import type { OrderOptions } from '../../contract/option-values.ts'
import type { Session } from '../api/client.ts'
import { OptionsPanel } from '../options/options-panel.tsx'
import type { PriceBook } from '../options/price-book.ts'
import { RecognitionWords } from '../options/recognition-words.tsx'
import { Button } from '../ui/button.tsx'
import { cardClass } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { countOf } from '../ui/sizes.ts'
import { uploadList } from '../uploads/uploads.ts'
import { Checkout, type PayProps } from './checkout.tsx'
import { editOrder, optionsInForce } from './order-draft.ts'
import { PresetMenu } from './preset-menu.tsx'
import type { PricedUpload, TraySummary } from './priced-tray.ts'

type Props = {
  session: Session
  /** undefined: being read; null: the service has no account interface */
  overview: AccountOverview | null | undefined
  book: PriceBook | null
  base: OrderOptions
  priced: readonly PricedUpload[]
  summary: TraySummary
  selected: ReadonlySet<string>
  suggestions: readonly string[]
  isOnline: boolean
  pay: PayProps
  hasBar: boolean
  onClearSelection: () => void
}

/** Options and total. With uploads selected it sets their options; without, those of the whole tray. */
export function OrderPanel(props: Props) {
  const { session, overview, book, base, priced, summary, selected, suggestions, isOnline } = props
  const first = priced.find(({ upload }) => selected.has(upload.id))
  const shown = first?.options ?? base

  function change(options: Partial<OrderOptions>) {
    if (selected.size === 0) editOrder(session, options)
    else uploadList.change([...selected], ({ overrides }) => ({ overrides: { ...overrides, ...options } }))
  }

  function reset() {
    if (selected.size === 0) editOrder(session, {}, true)
    else uploadList.change([...selected], { overrides: {} })
  }

  return (
    <section
      aria-label="Options and price"
      className={`${cardClass} sticky top-7 flex max-h-[calc(100dvh-3.5rem)] flex-col p-[18px] max-lg:static max-lg:max-h-none`}
    >
      <div className="mb-2 flex min-h-8 items-center justify-between gap-2">
        <h2 className="text-md font-semibold">
          {selected.size === 0 ? 'Transcript' : `For ${countOf(selected.size, 'selected file')}`}
        </h2>
        <div className="flex items-center gap-2">
          {selected.size > 0 && (
            <Button size="sm" onClick={props.onClearSelection}>
              Done
            </Button>
          )}
          {overview?.features.settings && (
            <PresetMenu session={session} options={shown} onApply={change} onReset={reset} />
          )}
        </div>
      </div>
      {/* On a low window the options scroll, so that the total and the button stay in sight. */}
      <div className="-mx-[18px] min-h-0 overflow-y-auto px-[18px] pb-1 max-lg:overflow-visible">
        <OptionsPanel
          options={shown}
          book={book}
          suggestions={suggestions}
          isCustomFormattingEnabled={overview?.custom_formatting_enabled ?? false}
          onChange={change}
        />
      </div>
      <Checkout
        environment={session.environment}
        {...props.pay}
        hasBar={props.hasBar}
        isOnline={isOnline}
        about={
          overview && hasType('automated', summary, base) ? (
            <RecognitionWords recognition={overview.recognition} />
          ) : null
        }
        warning={
          overview?.features.manual_typing === 'none' && hasType('manual', summary, base) ? (
            <NoTypists
              onAutomate={() => {
                editOrder(session, { transcript_type: 'automated' })
                const manual = priced.filter(({ upload }) => upload.overrides.transcript_type === 'manual')
                uploadList.change(
                  manual.map(({ upload }) => upload.id),
                  ({ overrides: { transcript_type: _manual, ...overrides } }) => ({ overrides }),
                )
              }}
            />
          ) : null
        }
      />
    </section>
  )
}

function hasType(type: OrderOptions['transcript_type'], { ready }: TraySummary, base: OrderOptions): boolean {
  if (ready.length === 0) return optionsInForce(base).transcript_type === type
  return ready.some(({ options }) => options.transcript_type === type)
}

/** A warning before paying: a manual order would be charged and then wait. */
function NoTypists({ onAutomate }: { onAutomate: () => void }) {
  return (
    <Notice tone="warn">
      <p className="text-sm">
        No typists work here yet: a manual order is charged at once and waits at 0 % until there are some.{' '}
        <button
          type="button"
          onClick={onAutomate}
          className="rounded-sm font-semibold underline underline-offset-2 hover:no-underline"
        >
          Order automated instead
        </button>
      </p>
    </Notice>
  )
}
