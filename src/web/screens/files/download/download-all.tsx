import { ArrowDownToLine, ChevronDown } from 'lucide-react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import type { NamedArchive } from '../../../signed-in/file-actions/file-action.ts'
import { useArchiveFormat } from '../../../signed-in/preferences/last-archive.ts'

export type DownloadArchive = (records: readonly FileRecord[], archive: NamedArchive) => void

type Props = {
  records: readonly FileRecord[]
  archive: NamedArchive
  label: string
  isPrimary?: boolean
  onDownload: DownloadArchive
}

/**
 * Downloads a project or an order: at once in the format that the button names, with the choices of the last time, with a
 * second button for others. The dialog opens first if it says that something is not ready or left out.
 */
export function DownloadAll({ records, archive, label, isPrimary = false, onDownload }: Props) {
  const format = useArchiveFormat()
  const isReady = records.some(({ percent }) => percent === 100)
  const isWhole = archive.leftOut === 0 && records.every(({ percent }) => percent === 100)
  const variant = isPrimary ? 'primary' : 'secondary'
  const icon = <ArrowDownToLine aria-hidden />
  if (!isReady || !isWhole) {
    return (
      <Button variant={variant} disabled={!isReady} onClick={() => onDownload(records, archive)}>
        {icon} {label}
      </Button>
    )
  }
  return (
    <div className="flex">
      <Button
        variant={variant}
        className="rounded-r-none"
        onClick={() => onDownload(records, { ...archive, isAtOnce: true })}
      >
        {icon} {label} · {format.toUpperCase()}
      </Button>
      <Button
        variant={variant}
        aria-label={`${label} in another format`}
        className={`rounded-l-none px-2! ${isPrimary ? 'border-l-on-accent/40!' : 'border-l-0!'}`}
        onClick={() => onDownload(records, archive)}
      >
        <ChevronDown aria-hidden />
      </Button>
    </div>
  )
}
