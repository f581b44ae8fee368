import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Environment } from '../../../../contract/interface/environment.ts'
import { Button } from '../../../base/ui/button.tsx'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { ProgressBar } from '../../../base/ui/progress-bar.tsx'
import { Changes } from '../../session/changes.tsx'
import { failureWords, findRemedy } from '../queue/upload-failure.ts'
import type { Hold, Upload, UploadState } from '../tray/upload.ts'
import { acceptPrices, acceptRepeat, acceptTopUp, cancelUploads, queue, uploadList } from '../uploads.ts'
import { sentText, speedText, timeLeftText } from './transfer-text.ts'

const holdWords: Record<Hold, string> = {
  turn: 'Waiting for its turn',
  paused: 'Paused',
  // The page states the reason once for all.
  offline: 'Waiting',
  unreachable: 'Waiting',
  busy: 'Waiting',
  retry: 'The upload was interrupted. Retrying automatically; nothing is charged twice.',
  'signed-out': 'Sign in to continue',
  'file-needed': 'Waiting for its file',
}

/** The text below an upload's progress bar. */
function describeUpload({ state, bytes, source }: Upload): string {
  switch (state.is) {
    case 'waiting':
      return holdWords[state.hold]
    case 'sending':
      return sendingText(state, bytes, source.kind === 'link')
    case 'confirming':
      return source.kind === 'link' ? 'The service is downloading the recording' : 'Sent, waiting for the service'
    case 'checking':
      return 'Checking whether the service already has this file'
    default:
      return ''
  }
}

function sendingText(state: UploadState & { is: 'sending' }, bytes: number, isLink: boolean): string {
  if (isLink) return 'The service is downloading the recording'
  const sent = sentText(state.sentBytes, bytes)
  if (state.stalled) return `${sent} · stalled; still trying`
  const left = state.secondsLeft === null ? null : timeLeftText(state.secondsLeft)
  return [sent, speedText(state.bytesPerSecond), left].filter((part) => part !== null).join(' · ')
}

function calculatePercent({ state, bytes }: Upload): number | null {
  if (state.is === 'sending') return bytes === 0 ? null : (state.sentBytes / bytes) * 100
  if (state.is === 'confirming') return bytes === 0 ? null : 100
  return 0
}

type Props = {
  upload: Upload
  environment: Environment
}

/** One upload that is not ordered yet: its name, and its progress or failure. */
export function DockRow(props: Props) {
  return props.upload.state.is === 'failed' ? <FailedRow {...props} /> : <PendingRow {...props} />
}

function PendingRow({ upload }: Pick<Props, 'upload'>) {
  const { id, name, state } = upload
  const canStop = state.is !== 'confirming' && state.is !== 'checking'
  return (
    <RowFrame name={name} action={canStop && <RemoveButton id={id} label={`Stop ${name}`} />}>
      <ProgressBar percent={calculatePercent(upload)} label={`Upload of ${name}`} className="mt-0.5" />
      <p className={`text-xs tabular-nums ${state.is === 'sending' && state.stalled ? 'text-warn' : 'text-ink-3'}`}>
        {describeUpload(upload)}
      </p>
    </RowFrame>
  )
}

function FailedRow({ upload, environment }: Props) {
  const { id, name, state } = upload
  if (state.is !== 'failed') return null
  const { failure } = state
  const cents = upload.agreement?.totalCents
  const price = cents == null ? '' : moneyText(cents, upload.agreement?.currency ?? '')
  const action = (
    <>
      {findRemedy(failure) === 'retry' && <Retry id={id} words="Try again" />}
      <RemoveButton id={id} label={`Dismiss ${name}`} />
    </>
  )
  return (
    <RowFrame name={name} action={action}>
      <p className={`text-xs ${failure.kind === 'asked' ? 'text-ink-2' : 'text-bad'}`}>{failureWords(failure)}</p>
      {failure.kind === 'asked' && (
        <a
          href={failure.page}
          target="_blank"
          rel="noreferrer"
          className="justify-self-start text-sm font-semibold text-accent hover:underline"
        >
          Confirm at your bank (new tab)
        </a>
      )}
      {failure.kind === 'refused' && failure.status === 402 && (
        <Link
          to={`/${environment}/settings/money#payment`}
          className="justify-self-start text-sm font-semibold text-accent hover:underline"
        >
          Settings › Money
        </Link>
      )}
      {failure.kind === 'dearer' && (
        <Changes>
          <Button size="sm" className="justify-self-start" onClick={() => acceptPrices([upload])}>
            Order for {moneyText(failure.totalCents, failure.currency)}
          </Button>
        </Changes>
      )}
      {failure.kind === 'top-up' && (
        <Button size="sm" className="justify-self-start" onClick={() => acceptTopUp([upload])}>
          Order{price && ` for ${price}`}: the card pays in {moneyText(failure.topUpCents, failure.currency)}
        </Button>
      )}
      {(failure.kind === 'found' || failure.kind === 'known') && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={`/${environment}/files/${encodeURIComponent(failure.fileId)}`}
            className="text-sm font-semibold text-accent hover:underline"
            onClick={() => uploadList.remove([id])}
          >
            Open that file
          </Link>
          {failure.kind === 'found' ? (
            <Retry id={id} words="Upload anyway" isDecided />
          ) : (
            <Button size="sm" onClick={() => acceptRepeat(upload)}>
              Order anyway
            </Button>
          )}
        </div>
      )}
    </RowFrame>
  )
}

function RemoveButton({ id, label }: { id: string; label: string }) {
  return (
    <IconButton label={label} tooltip={false} className="-my-1.5 -mr-1.5" onClick={() => cancelUploads([id])}>
      <X aria-hidden />
    </IconButton>
  )
}

function Retry({ id, words, isDecided = false }: { id: string; words: string; isDecided?: boolean }) {
  return (
    <Changes>
      <button
        type="button"
        className="rounded-sm px-1 text-sm font-semibold text-bad hover:underline disabled:opacity-50"
        onClick={() => {
          // The customer says that the existing file is a different one: no attempt need check again.
          if (isDecided) uploadList.change([id], { unclearSince: null, idsBefore: null })
          queue.retry([id])
        }}
      >
        {words}
      </button>
    </Changes>
  )
}

function RowFrame({ name, action, children }: { name: string; action: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-1 gap-1">
      <div className="flex items-center gap-2">
        <span className="mr-auto min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
        {action}
      </div>
      {children}
    </li>
  )
}
