import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import type { Continued } from '../../signed-in/uploads/tray/add-to-tray.ts'
import { chooserClass } from '../../signed-in/uploads/tray/file-chooser.tsx'
import { ContinueButton } from './continue-button.tsx'
import type { PricedUpload } from './priced-tray.ts'
import type { Order } from './use-order.ts'
import type { Verdict } from './verdict.ts'

/** Why recordings are left out, in this order. */
const reasons: Readonly<Record<string, (count: number) => string>> = {
  twin: (count) => formatCount(count, 'duplicate'),
  known: (count) => `${countText(count)} already on the account`,
  alike: (count) => `${countText(count)} that ${count === 1 ? 'looks like a file' : 'look like files'} of the account`,
  other: (count) => `${countText(count)} that ${count === 1 ? 'is not a recording' : 'are not recordings'}`,
  bad: (count) => `${countText(count)} that cannot be ordered`,
}

/** `2 duplicates, 1 that is not a recording` */
function reasonsText(rows: readonly PricedUpload[]): string {
  const byReason = Map.groupBy(rows, ({ upload: { bytes, inspection }, verdict: { level } }) =>
    level === 'bad' && bytes !== 0 && inspection?.format === null && !inspection.unreadable ? 'other' : level,
  )
  const found = Object.entries(reasons).map(([reason, words]) => {
    const count = byReason.get(reason as Verdict['level'])?.length ?? 0
    return count === 0 ? '' : words(count)
  })
  return found.filter(Boolean).join(', ')
}

/** What files of the tray would continue, by earlier order. */
function listContinued(priced: readonly PricedUpload[]): Continued[][] {
  const pairs = priced.flatMap(({ upload, verdict }) =>
    verdict.continues ? [{ lost: verdict.continues, draft: upload }] : [],
  )
  return [...Map.groupBy(pairs, ({ lost }) => lost.agreement.batch).values()]
}

type Props = { order: Order; isShown: boolean; onShow: (isShown: boolean) => void }

/** One sentence about what of the tray is ordered, and the choice to order duplicates all the same. */
export function LeftOut({ order, isShown, onShow }: Props) {
  const { priced, summary, ordersDuplicates, setOrdersDuplicates } = order
  const { duplicates, fileNeeded, leftOut } = summary
  const gone = new Set(leftOut)
  const rows = priced.filter(({ upload }) => gone.has(upload.id))
  if (rows.length === 0 && duplicates.length === 0) return null
  const ordered = priced.length - rows.length - fileNeeded.length
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-ink-2">
        {countText(ordered)} of {formatCount(priced.length, 'file')} will be ordered
        {fileNeeded.length > 0 && ` · ${countText(fileNeeded.length)} to be chosen again`}
        {rows.length > 0 && <span className="text-warn"> · left out: {reasonsText(rows)}</span>}
        {rows.length > 0 && ordered > 0 && (
          <>
            {' · '}
            <button
              type="button"
              aria-expanded={isShown}
              onClick={() => onShow(!isShown)}
              className="rounded-sm font-semibold text-accent underline-offset-2 hover:underline"
            >
              {isShown ? 'Hide' : 'Show'}
            </button>
          </>
        )}
      </p>
      {duplicates.length > 0 && (isShown || ordersDuplicates) && (
        <LabelledCheckbox
          label={`Order ${duplicates.length === 1 ? 'the duplicate' : `the ${formatCount(duplicates.length, 'duplicate')}`}, too`}
          checked={ordersDuplicates}
          onChange={({ target }) => setOrdersDuplicates(target.checked)}
        />
      )}
      {listContinued(priced).map((pairs) =>
        // The row of a single one says it, if it is shown.
        pairs.length === 1 && isShown ? null : (
          <ContinueButton key={pairs[0]?.lost.id} pairs={pairs} className={chooserClass} />
        ),
      )}
    </div>
  )
}
