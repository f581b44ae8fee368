import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { addBusinessDays, manualBusinessDays } from '../../../contract/common/business-days.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { Session } from '../../base/api/client.ts'
import type { OrderPreset } from '../../base/api/presets.ts'
import { queue } from '../../base/api/queue.ts'
import { Button } from '../../base/ui/button.tsx'
import { cardClass } from '../../base/ui/card.tsx'
import { queueWords } from '../../base/ui/duration.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { useOnline } from '../../base/ui/use-online.ts'
import { OptionsPanel } from '../../signed-in/options/options-panel.tsx'
import { RatesNote } from '../../signed-in/options/rates-note.tsx'
import { RecognitionWords } from '../../signed-in/options/recognition-words.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { uploadList } from '../../signed-in/uploads/uploads.ts'
import { Checkout, type PayProps } from './checkout.tsx'
import { FreeNote } from './free-note.tsx'
import { editOrder } from './order-draft.ts'
import { optionsId } from './pay-bar.tsx'
import { PresetMenu } from './preset-menu.tsx'
import { BudgetWarning, ProjectField } from './project-field.tsx'
import type { Order } from './use-order.ts'

type Props = {
  session: Session
  order: Order
  selected: ReadonlySet<string>
  pay: PayProps
  hasBar: boolean
  onClearSelection: () => void
}

/** Changes options of the selected uploads, or of the whole tray if none is selected. */
function optionEdits(session: Session, selected: ReadonlySet<string>, project: string | null) {
  const ids = [...selected]
  return {
    change(options: Partial<OrderOptions>) {
      if (ids.length === 0) editOrder(session, options)
      else uploadList.change(ids, ({ overrides }) => ({ overrides: { ...overrides, ...options } }))
    },
    apply({ name: preset, options }: OrderPreset) {
      if (ids.length === 0) editOrder(session, { ...options, preset })
      else uploadList.change(ids, { overrides: options, preset })
    },
    reset() {
      if (ids.length === 0) editOrder(session, { project }, true)
      else uploadList.change(ids, { overrides: {}, preset: null })
    },
  }
}

/**
 * Options and total. Edits the options of selected uploads, or of the whole tray if none is selected. Longer than most:
 * it passes its parts what they show.
 */
export function OrderPanel({ session, order, selected, pay, hasBar, onClearSelection }: Props) {
  const { overview, book, base, priced, history } = order
  const isOnline = useOnline()
  const ready = useReady(session, order)
  const options = priced.find(({ upload }) => selected.has(upload.id))?.options ?? base
  const { change, apply, reset } = optionEdits(session, selected, order.projects.drafted)
  const title = selected.size === 0 ? 'Transcript' : `For ${formatCount(selected.size, 'selected file')}`
  return (
    <section
      id={optionsId}
      aria-label="Options and price"
      className={`${cardClass} sticky top-7 flex max-h-[calc(100dvh-3.5rem)] flex-col p-[18px] max-lg:static max-lg:max-h-none`}
    >
      <div className="mb-2 flex min-h-8 items-center justify-between gap-2">
        <h2 className="text-md font-semibold">{title}</h2>
        <div className="flex items-center gap-2">
          {selected.size > 0 && (
            <Button size="sm" onClick={onClearSelection}>
              Done
            </Button>
          )}
          {overview?.features.settings && (
            <PresetMenu session={session} options={options} onApply={apply} onReset={reset} />
          )}
        </div>
      </div>
      {/* In a low window the options scroll, so that the total and the button stay in view. */}
      <div className="-mx-[18px] min-h-0 overflow-y-auto px-[18px] pb-6 [mask-image:linear-gradient(#000_calc(100%-1.5rem),transparent)] max-lg:overflow-visible max-lg:pb-1 max-lg:[mask-image:none]">
        <OptionsPanel
          options={options}
          book={book}
          suggestions={history.speakerNames()}
          overview={overview ?? null}
          onChange={change}
          folds
          ready={ready}
        />
      </div>
      <Checkout
        vatPercent={overview?.vat_percent}
        discountPercent={overview?.discount_percent ?? 0}
        {...pay}
        hasBar={hasBar}
        isOnline={isOnline}
        project={<ProjectField session={session} order={order} selected={selected} />}
      >
        {overview && hasType('automated', order) && <RecognitionWords recognition={overview.recognition} />}
        {overview?.free_minutes && hasType('automated', order) && (
          <FreeNote free={overview.free_minutes} ready={order.summary.ready} />
        )}
        {overview && <RatesNote overview={overview} />}
        <BudgetWarning order={order} />
        <NoTypistsWarning session={session} order={order} />
      </Checkout>
    </section>
  )
}

/** When transcripts of each type would be ready: automated ones given the current queue, for what is in the tray. */
function useReady(session: Session, { overview, summary }: Order) {
  const dates = useDates()
  const typing = overview?.features.manual_typing
  const hasTypists = typing === 'pool' || typing === 'staff'
  const automated = summary.ready.filter(({ options }) => options.transcript_type === 'automated')
  // If all is manual, the estimate is of all of it, too: that is the choice.
  const asked = automated.length > 0 ? automated : summary.ready
  const durationMs = asked.reduce((sum, one) => sum + (one.durationMs ?? 0), 0)
  // If there is no recognizer at present, the hint above says so.
  const isHeard = overview !== undefined && overview !== null && overview.recognition.engine !== null
  const enabled = isHeard && overview.features.queue === true && durationMs > 0
  // Not in the query options: on a file's page one's text would appear at another.
  const { data } = useQuery({ ...queue.ofNew(session, durationMs), enabled, placeholderData: keepPreviousData })
  return {
    ...(hasTypists && {
      manual: `Ready by ${dates.day(addBusinessDays(Date.now(), manualBusinessDays))}.`,
    }),
    ...(enabled && { automated: data ? `Ready after the upload in ${queueWords(data)}.` : '' }),
  }
}

function hasType(type: OrderOptions['transcript_type'], { summary: { ready }, base }: Order): boolean {
  if (ready.length === 0) return base.transcript_type === type
  return ready.some(({ options }) => options.transcript_type === type)
}

/** True if the service would accept none of it as it is: it has no manual orders. */
export function isRefused(order: Order): boolean {
  return order.overview?.features.manual_typing === 'off' && hasType('manual', order)
}

/** A warning before paying: without typists, a manual order would be refused, or charged and then wait. */
function NoTypistsWarning({ session, order }: Pick<Props, 'session' | 'order'>) {
  const typing = order.overview?.features.manual_typing
  if ((typing !== 'none' && typing !== 'off') || !hasType('manual', order)) return null

  function automate() {
    editOrder(session, { transcript_type: 'automated' })
    const manual = order.priced.filter(({ upload }) => upload.overrides.transcript_type === 'manual')
    uploadList.change(
      manual.map(({ upload }) => upload.id),
      ({ overrides: { transcript_type: _manual, ...overrides } }) => ({ overrides }),
    )
  }

  return (
    <Notice tone="warn">
      <p className="text-sm">
        {typing === 'off'
          ? 'This service takes no manual orders.'
          : 'This service has no typists yet: a manual order is charged at once, and refunded in full on its delivery date if nobody has begun.'}{' '}
        <button
          type="button"
          onClick={automate}
          className="rounded-sm font-semibold underline underline-offset-2 hover:no-underline"
        >
          Order automated instead
        </button>
      </p>
    </Notice>
  )
}
