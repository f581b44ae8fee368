import { ChevronDown, Download, FileCog, Printer, Undo2 } from 'lucide-react'
import { type MenuFormat, menuFormats, unfinishedFormat } from '../../../contract/interface/transcript-formats.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import type { ExportedText } from './export-dialog.tsx'

/** Download options of a transcript. */
export type Downloads = {
  /** below 100 % only the work-in-progress text is available (spec 4.4) */
  inProgress: boolean
  /** what the button downloads at once */
  first: { format: MenuFormat; text: 'corrected' | 'original' | 'so far'; isEnabled: boolean }
  onDownload: (format: MenuFormat) => void
  isCorrected: boolean
  /** a few words about a format */
  noteOf: (format: MenuFormat) => string
  /** opens the dialog of all formats and settings, with this text selected */
  onExport: (text: ExportedText) => void
}
type Props = Downloads & { isPhone: boolean }

/** Downloads at once in the format used last; beside it, the menu of all. A phone has room for the menu only. */
export function DownloadButton(props: Props) {
  if (props.isPhone) return <DownloadMenu {...props} />
  const { first, onDownload } = props
  const what = `${first.format.toUpperCase()} · ${first.text}`
  return (
    <div className="flex">
      <Button
        variant="primary"
        className="rounded-r-none"
        aria-label={`Download ${what}`}
        disabled={!first.isEnabled}
        onClick={() => onDownload(first.format)}
      >
        <Download aria-hidden /> {what}
      </Button>
      <DownloadMenu {...props} />
    </div>
  )
}

/** The formats that people use, with corrections if there are any; the original and further formats; print. */
function DownloadMenu({ isPhone, inProgress, isCorrected, noteOf, onDownload, onExport }: Props) {
  return (
    <Menu
      trigger={
        isPhone ? (
          <IconButton label="Download" tooltip={false}>
            <Download aria-hidden />
          </IconButton>
        ) : (
          <Button variant="primary" aria-label="Download" className="rounded-l-none border-l-on-accent/40! px-2!">
            <ChevronDown aria-hidden />
          </Button>
        )
      }
    >
      <MenuGroup
        label={inProgress ? 'Work in progress, not final' : isCorrected ? 'With your corrections' : 'Download as'}
      >
        {menuFormats.map((format) => (
          <MenuItem
            key={format}
            disabled={inProgress && format !== unfinishedFormat}
            onSelect={() => onDownload(format)}
            note={inProgress && format !== unfinishedFormat ? 'when ready' : noteOf(format)}
          >
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem disabled={inProgress} onSelect={() => onExport('corrected')}>
        <FileCog aria-hidden /> More formats and settings…
      </MenuItem>
      {isCorrected && (
        <MenuItem onSelect={() => onExport('original')}>
          <Undo2 aria-hidden /> Original, without corrections…
        </MenuItem>
      )}
      <MenuItem onSelect={() => setTimeout(() => window.print())}>
        <Printer aria-hidden /> Print
      </MenuItem>
    </Menu>
  )
}
