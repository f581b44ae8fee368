import { ArrowDown, ArrowUp, AudioLines, Copy, EllipsisVertical, File, Link2, Video, X } from 'lucide-react'
import type { Ref } from 'react'
import { announce } from '../../base/ui/announcer.tsx'
import { Checkbox } from '../../base/ui/checkbox.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { IconButton, iconButtonClass } from '../../base/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import { sizeText } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { canReopen, reopenFiles } from '../../signed-in/uploads/tray/reopen-file.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import { ContinueButton } from './continue-button.tsx'
import { priceText } from './price-text.ts'
import type { PricedUpload } from './priced-tray.ts'
import { SoundChoice } from './sound-choice.tsx'

/** Shown on hover and on keyboard focus; always on devices without hover. */
const onHover =
  'opacity-0 group-hover:opacity-100 has-focus-visible:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100'

const linkButtonClass = 'min-h-6 justify-self-start rounded-sm text-xs font-semibold text-accent hover:underline'

const tones = {
  ok: '',
  note: 'text-ink-3',
  twin: 'text-warn',
  known: 'text-warn',
  alike: 'text-warn',
  'file-needed': 'text-ink-2',
  comparing: 'text-ink-2',
  bad: 'text-bad',
} as const

type Props = {
  ref: Ref<HTMLTableRowElement>
  row: PricedUpload
  /** counted from 0 */
  index: number
  currency: string
  selected: ReadonlySet<string>
  onToggle: (id: string) => void
  onRemove: (id: string) => void
  onStep: (by: -1 | 1) => void
  onCopyCurl: (row: PricedUpload) => void
}

/**
 * One recording of the tray, with its verdict. Alt and an arrow key move it. Longer than most: one cell after the
 * other.
 */
export function TrayRow({ ref, row, index, currency, selected, onToggle, onRemove, onStep, onCopyCurl }: Props) {
  const { upload, price, durationMs } = row
  const { id, name, source } = upload
  const isSelected = selected.has(id)
  const isReading = upload.inspection === null && source.kind === 'file' && source.file !== null
  const size = source.kind === 'link' ? '' : sizeText(upload.bytes)
  const length = durationMs === null ? '' : clockText(durationMs / 1_000)

  function onKeyDown(event: React.KeyboardEvent) {
    const by = event.altKey && ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!by) return
    event.preventDefault()
    onStep(by)
    announce(`${name} moved ${by < 0 ? 'up' : 'down'}`)
  }

  return (
    <tr
      ref={ref}
      data-key={id}
      aria-rowindex={index + 2}
      onKeyDown={onKeyDown}
      className={`group h-[52px] border-t border-line ${isSelected ? 'bg-accent-faint' : ''}`}
    >
      <SelectCell row={row} isSelected={isSelected} onToggle={onToggle} />
      <RecordingCell row={row} selected={selected} facts={[size, length].filter(Boolean).join(' · ')} />
      <td className="text-right tabular-nums max-xl:hidden">{size}</td>
      <td className="text-right tabular-nums max-xl:hidden">
        {isReading ? <Skeleton className="ml-auto h-3.5 w-12" /> : length}
      </td>
      <td className="text-right tabular-nums">
        {isReading ? <Skeleton className="ml-auto h-3.5 w-14" /> : price && priceText(price, currency)}
      </td>
      <td className="pr-1.5">
        <div className="flex justify-end">
          <RowMenu row={row} onStep={onStep} onCopyCurl={onCopyCurl} />
          <IconButton label={`Remove ${name}`} tooltip={false} onClick={() => onRemove(id)}>
            <X aria-hidden />
          </IconButton>
        </div>
      </td>
    </tr>
  )
}

/** The icon of its kind, replaced by a checkbox on hover and when selected. */
function SelectCell({ row, isSelected, onToggle }: Pick<Props, 'row' | 'onToggle'> & { isSelected: boolean }) {
  const { id, name } = row.upload
  return (
    <td>
      <span className="grid place-items-center">
        <KindIcon row={row} isHidden={isSelected} />
        <Checkbox
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={() => onToggle(id)}
          className={`col-start-1 row-start-1 ${isSelected ? '' : onHover}`}
        />
      </span>
    </td>
  )
}

/** Its name and verdict. `facts`: size and length, if a narrow window has no columns for them. */
function RecordingCell({
  row: { upload, verdict, isLeftOut, differences },
  selected,
  facts,
}: Pick<Props, 'row' | 'selected'> & { facts: string }) {
  return (
    <td className="py-1.5">
      <div className="grid min-w-0">
        <span className="truncate font-medium" title={upload.source.kind === 'link' ? upload.source.url : upload.name}>
          {upload.name}
        </span>
        <span className="hidden text-xs text-ink-3 tabular-nums max-xl:inline">{facts}</span>
        {differences.length > 0 && verdict.level !== 'bad' && (
          <span className="truncate text-xs text-accent">{differences.join(' · ')}</span>
        )}
        {verdict.text && (
          <span className={`text-xs ${tones[verdict.level]}`}>
            {verdict.text}
            {isLeftOut && ' · left out'}
          </span>
        )}
        {verdict.continues && (
          <ContinueButton pairs={[{ lost: verdict.continues, draft: upload }]} className={linkButtonClass} />
        )}
        <SoundChoice upload={upload} selected={selected} />
        <ReopenButton upload={upload} />
      </div>
    </td>
  )
}

/** After a reload, if the browser stored a handle of the file: one click instead of dropping it again. */
function ReopenButton({ upload }: { upload: Upload }) {
  if (!canReopen(upload)) return null
  return (
    <button type="button" onClick={() => void reopenFiles([upload])} className={linkButtonClass}>
      Use the file on this device
    </button>
  )
}

function KindIcon({ row: { upload, verdict }, isHidden }: { row: PricedUpload; isHidden: boolean }) {
  const kind = upload.inspection?.kind
  const Icon = upload.source.kind === 'link' ? Link2 : kind === 'video' ? Video : kind === 'audio' ? AudioLines : File
  const name = upload.source.kind === 'link' ? 'Link' : kind === 'video' ? 'Video' : kind === 'audio' ? 'Audio' : 'File'
  return (
    <Icon
      role="img"
      aria-label={verdict.level === 'bad' ? `${name}, not ordered` : name}
      strokeWidth={1.7}
      className={`col-start-1 row-start-1 size-4 text-ink-3 group-hover:opacity-0 has-[+span_:focus-visible]:opacity-0 [@media(hover:none)]:hidden ${isHidden ? 'opacity-0' : ''}`}
    />
  )
}

function RowMenu({ row, onStep, onCopyCurl }: Pick<Props, 'row' | 'onStep' | 'onCopyCurl'>) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`More for ${row.upload.name}`}
          className={`${iconButtonClass} ${onHover} data-popup-open:opacity-100`}
        >
          <EllipsisVertical aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={() => onStep(-1)} note="Alt ↑">
        <ArrowUp aria-hidden /> Move up
      </MenuItem>
      <MenuItem onSelect={() => onStep(1)} note="Alt ↓">
        <ArrowDown aria-hidden /> Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => onCopyCurl(row)}>
        <Copy aria-hidden /> Copy as curl
      </MenuItem>
    </Menu>
  )
}
