import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasRight, isClosed } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { Button } from '../../base/ui/button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { useMedia } from '../../base/ui/use-media.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { useIsDragging } from '../../signed-in/uploads/dock/dropped-files.ts'
import { FileChooser } from '../../signed-in/uploads/tray/file-chooser.tsx'
import { removeFromTray } from '../../signed-in/uploads/tray/remove-from-tray.ts'
import { canReopen, reopenFiles } from '../../signed-in/uploads/tray/reopen-file.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'
import { uploadList } from '../../signed-in/uploads/uploads.ts'
import type { PayProps } from './checkout.tsx'
import { copyCurl } from './curl.ts'
import { Intake } from './intake.tsx'
import { LeftOut } from './left-out.tsx'
import { isOverBudget, listBudgets } from './order-budgets.tsx'
import { isRefused, OrderPanel } from './order-panel.tsx'
import { PayBar } from './pay-bar.tsx'
import type { TraySummary } from './priced-tray.ts'
import { RecorderDialog } from './recorder-dialog.tsx'
import { TrayTable } from './tray-table.tsx'
import { type Order, useOrder } from './use-order.ts'
import { useOrderWithProjects } from './use-order-with-projects.ts'

/** New order (`/:environment/order`): what each recording is and costs, before anything is sent. */
export function Component() {
  const session = useSession()
  const navigate = useNavigate()
  const order = useOrder(session)
  const { overview, priced, summary, currency, linkLimit } = order
  const isNarrow = useMedia('(width < 64rem)')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(
    () => new Set(priced.map(({ upload }) => upload.id).filter((id) => chosen.has(id))),
    [priced, chosen],
  )

  // This page becomes the batch's: going back leads to where the order was begun.
  const openBatch = (batch: string) => void navigate(`/${session.environment}/order/${batch}`, { replace: true })
  const ordering = useOrderWithProjects(session, order, openBatch)

  const paymentMethod = overview?.features.payment ? overview.payment_method : undefined
  const budgets = listBudgets(overview)
  const isOver = isOverBudget(budgets, { summary, linkLimit })
  const isBlocked =
    ordering.isPending || isOver || !order.projects.isAgreed || isRefused(order) || !hasRight(overview, 'order')
  const pay: PayProps = {
    environment: session.environment,
    summary,
    currency,
    paymentMethod,
    balance: overview?.balance,
    budgets,
    linkLimit,
    isBlocked,
    onOrder: ordering.begin,
  }
  const hasBar = isNarrow && priced.length > 0
  return (
    <div
      className={`${pageClass} grid-cols-[minmax(0,1fr)_22.5rem] items-start max-xl:grid-cols-[minmax(0,1fr)_20rem] gap-x-7 max-lg:grid-cols-1`}
    >
      <Recordings session={session} order={order} selected={selected} onSelect={setChosen} />
      <OrderPanel
        session={session}
        order={order}
        selected={selected}
        pay={pay}
        hasBar={hasBar}
        onClearSelection={() => setChosen(new Set())}
      />
      {hasBar && <PayBar {...pay} />}
    </div>
  )
}

type RecordingsProps = {
  session: Session
  order: Order
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

function Recordings({ session, order, selected, onSelect }: RecordingsProps) {
  const { overview, priced, summary, currency, defaults } = order
  const isDragging = useIsDragging()
  const [isRecording, setIsRecording] = useState(false)
  const [isShowing, setIsShowing] = useState(false)
  const { shown, isShown } = foldLeftOut(order, isShowing)
  const remove = () => {
    // With all that are shown goes what is folded: a duplicate would be ordered in the place of the one that is gone.
    removeFromTray(selected.size === shown.length ? priced.map(({ upload }) => upload.id) : [...selected])
    onSelect(new Set())
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title="New order" subtitle="Each file is paid for when its upload completes." />
      {!hasRight(overview, 'order') && (
        <Notice tone="warn">
          {isClosed(overview)
            ? 'This account is closed and orders nothing. It can be opened again at Settings › Account.'
            : 'The key that you signed in with may not order: it lacks the right “order”. A key that manages the account can give it, at Settings › Keys.'}
        </Notice>
      )}
      <Intake
        owner={session}
        isDragging={isDragging}
        isSmall={priced.length > 0}
        offersLinks={overview?.features.links ?? false}
        onRecord={() => setIsRecording(true)}
      />
      <TraySelectionBar owner={session} selected={selected} summary={summary} onRemove={remove} />
      <LeftOut order={order} isShown={isShown} onShow={setIsShowing} />
      {shown.length > 0 && (
        <TrayTable
          priced={shown}
          currency={currency}
          selected={selected}
          onSelect={onSelect}
          onRemove={(id) => removeFromTray([id])}
          onSort={(ids) => uploadList.arrange(ids)}
          onMove={(id, beforeId) => uploadList.move(id, beforeId)}
          onCopyCurl={(row) => void copyCurl(row, defaults)}
        />
      )}
      {isRecording && <RecorderDialog owner={session} onClose={() => setIsRecording(false)} />}
    </div>
  )
}

/** Rows of the table: what is left out is folded, unless it is all there is. */
function foldLeftOut({ priced, summary: { leftOut } }: Order, isShowing: boolean) {
  const isShown = isShowing || leftOut.length === priced.length
  const hidden = new Set(isShown ? [] : leftOut)
  return { isShown, shown: hidden.size === 0 ? priced : priced.filter(({ upload }) => !hidden.has(upload.id)) }
}

type Props = {
  owner: Owner
  selected: ReadonlySet<string>
  summary: TraySummary
  onRemove: () => void
}

/** Actions on several uploads at once; nothing if none applies. */
function TraySelectionBar({ owner, selected, summary: { fileNeeded }, onRemove }: Props) {
  if (selected.size > 0) {
    return (
      <Bar text={`${formatCount(selected.size, 'file')} selected · set their options in the panel`}>
        <Button size="sm" onClick={onRemove}>
          Remove
        </Button>
      </Bar>
    )
  }
  const reopenable = fileNeeded.filter(canReopen)
  return (
    <>
      {fileNeeded.length > 0 && (
        <Bar text={`The page was reloaded: ${formatCount(fileNeeded.length, 'file')} to open again.`}>
          {reopenable.length > 0 ? (
            <Button size="sm" variant="primary" onClick={() => void reopenFiles(reopenable)}>
              Use {reopenable.length === 1 ? 'it' : `the ${formatCount(reopenable.length, 'file')}`} on this device
            </Button>
          ) : (
            <span>
              <FileChooser owner={owner} label="Choose the files" /> or{' '}
              <FileChooser owner={owner} label="their folder" isFolder />
            </span>
          )}
        </Bar>
      )}
    </>
  )
}

function Bar({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="mr-auto text-ink-2">{text}</p>
      {children}
    </div>
  )
}
