import { ChevronDown, Download, PencilLine, Printer } from 'lucide-react'
import { type TranscriptFormat, transcriptFormats, transcriptNotes } from '../../../contract/transcript-formats.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

type Props = {
  isPhone: boolean
  /** below 100 % only the work-in-progress text is available (spec 4.4) */
  inProgress: boolean
  onDownload: (format: TranscriptFormat) => void
  /** null where nothing is corrected */
  onExport: (() => void) | null
}

/** The service's seven formats as they are, and print. */
export function DownloadMenu({ isPhone, inProgress, onDownload, onExport }: Props) {
  return (
    <Menu
      trigger={
        isPhone ? (
          <IconButton label="Download" tooltip={false}>
            <Download aria-hidden />
          </IconButton>
        ) : (
          <Button variant="primary">
            <Download aria-hidden /> Download <ChevronDown aria-hidden />
          </Button>
        )
      }
    >
      <MenuGroup label={inProgress ? 'Work in progress, not final' : 'As the service made it'}>
        {transcriptFormats.map((format) => (
          <MenuItem
            key={format}
            disabled={inProgress && format !== 'txt'}
            onSelect={() => onDownload(format)}
            note={inProgress && format !== 'txt' ? 'when ready' : transcriptNotes[format]}
          >
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem disabled={onExport === null} onSelect={() => onExport?.()}>
        <PencilLine aria-hidden /> Corrected text …
      </MenuItem>
      <MenuItem onSelect={() => setTimeout(() => window.print())}>
        <Printer aria-hidden /> Print
      </MenuItem>
    </Menu>
  )
}
