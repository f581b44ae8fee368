import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { type LoaderFunctionArgs, useNavigate } from 'react-router'
import { account } from '../api/account.ts'
import { queryClient } from '../api/query-client.ts'
import { orderQuery } from '../options/option-words.ts'
import { bookOf, learnBook } from '../options/price-book.ts'
import { requireSession, useSession } from '../session/session.ts'
import { announce } from '../ui/announcer.tsx'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { countOf } from '../ui/sizes.ts'
import { useMedia } from '../ui/use-media.ts'
import { useIsDragging } from '../uploads/dock/app-drop.tsx'
import type { Upload } from '../uploads/tray/upload.ts'
import { inspector, queue, uploadList } from '../uploads/uploads.ts'
import { useSubmittedSources, useTray } from '../uploads/use-uploads.ts'
import { useHistory } from './account-history.ts'
import type { PayProps } from './checkout.tsx'
import { copyCurl } from './curl.ts'
import { Intake } from './intake.tsx'
import { optionsInForce, useOrderEdits } from './order-draft.ts'
import { OrderPanel } from './order-panel.tsx'
import { PayBar } from './pay-bar.tsx'
import { priceTray, summarize } from './priced-tray.ts'
import { RecorderDialog } from './recorder-dialog.tsx'
import { TraySelectionBar } from './tray-selection-bar.tsx'
import { TrayTable } from './tray-table.tsx'

/** Asks for rates and defaults while the page's code is still coming. */
export function loader({ params, request }: LoaderFunctionArgs) {
  inspector.prepare()
  void queryClient.query(account.overview(requireSession(params, request))).catch(() => undefined)
  return null
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** New order (`/:environment/order`): what each recording is and costs, before anything is sent. */
export function Component() {
  const session = useSession()
  const navigate = useNavigate()
  const { data: overview } = useQuery(account.overview(session))
  const tray = useTray(session)
  const submitted = useSubmittedSources(session)
  const edits = useOrderEdits(session)
  const history = useHistory()
  const isDragging = useIsDragging()
  const isNarrow = useMedia('(width < 64rem)')
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isRecording, setIsRecording] = useState(false)

  const defaults = overview?.default_options ?? null
  const base = useMemo(() => optionsInForce(defaults, edits), [defaults, edits])
  const book = useMemo(() => {
    if (overview === undefined) return null
    return overview === null ? learnBook(history.records().map(({ metadata }) => metadata)) : bookOf(overview)
  }, [overview, history])
  const priced = useMemo(
    () => priceTray(tray, submitted, base, book, history.find),
    [tray, submitted, base, book, history],
  )
  const summary = useMemo(() => summarize(priced), [priced])
  const present = useMemo(() => new Set(tray.map(({ id }) => id).filter((id) => selected.has(id))), [tray, selected])

  function order() {
    const now = Date.now()
    const byId = new Map(summary.ready.map((row) => [row.upload.id, row]))
    queue.order([...byId.keys()], ({ id }: Upload) => {
      const row = byId.get(id)
      const options = row?.options ?? base
      const isExact = row?.price != null && !row.price.isEstimate
      return {
        options,
        query: orderQuery(options, optionsInForce(defaults)),
        totalCents: isExact ? row.price.cents : null,
        currency: book?.currency ?? '',
        at: now,
      }
    })
    setSelected(new Set())
    announce(`${countOf(byId.size, 'upload')} started`)
    void navigate(`/${session.environment}/files`)
  }

  const paymentMethod = overview?.features.payment ? overview.payment_method : undefined
  const pay: PayProps = { summary, currency: book?.currency ?? '', paymentMethod, onOrder: order }
  const hasBar = isNarrow && priced.length > 0

  return (
    <div
      className={`${pageClass} grid-cols-[minmax(0,1fr)_22.5rem] items-start max-xl:grid-cols-[minmax(0,1fr)_20rem] gap-x-7 max-lg:grid-cols-1`}
    >
      <div className="grid gap-5">
        <PageHeader title="New order" subtitle="Your card is charged for each file when its upload completes." />
        <Intake
          owner={session}
          isDragging={isDragging}
          offersLinks={overview?.features.links ?? false}
          onRecord={() => setIsRecording(true)}
        />
        <TraySelectionBar selected={present} badIds={summary.badIds} onSelect={setSelected} />
        {priced.length > 0 && (
          <TrayTable
            priced={priced}
            currency={book?.currency ?? ''}
            selected={present}
            onSelect={setSelected}
            onRemove={(id) => uploadList.remove([id])}
            onMove={(id, beforeId) => uploadList.move(id, beforeId)}
            onCopyCurl={(row) => void copyCurl(row, optionsInForce(defaults))}
          />
        )}
      </div>
      <OrderPanel
        session={session}
        overview={overview}
        book={book}
        base={base}
        priced={priced}
        summary={summary}
        selected={present}
        suggestions={history.speakerNames()}
        isOnline={isOnline}
        pay={pay}
        hasBar={hasBar}
        onClearSelection={() => setSelected(new Set())}
      />
      {hasBar && <PayBar {...pay} />}
      {isRecording && <RecorderDialog owner={session} onClose={() => setIsRecording(false)} />}
    </div>
  )
}
