import { type MenuFormat, menuFormats, unfinishedFormat } from '../../../../contract/interface/transcript-formats.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { AnchoredMenu, MenuGroup, MenuItem } from '../../../base/ui/menu.tsx'
import { formatNote } from '../../../signed-in/library/caption-rules.ts'
import { useCorrectedFiles } from '../../../signed-in/library/corrected-files.ts'
import { rememberFormat, useLastFormat } from '../../../signed-in/preferences/last-format.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { startDownload } from '../../../transcript/downloads/start-download.ts'

type Props = { record: FileRecord | null; open: boolean; anchor: HTMLElement; onClose: () => void }

/** The formats of a row's transcript. Shared by all rows. */
export function FormatMenu({ record, open, ...rest }: Props) {
  return (
    <AnchoredMenu open={open && record !== null} {...rest}>
      {record && <Formats record={record} />}
    </AnchoredMenu>
  )
}

function Formats({ record }: { record: FileRecord }) {
  const session = useSession()
  const lastFormat = useLastFormat()
  const isCorrectedHere = useCorrectedFiles(session).has(record.id)
  const isCorrected = isCorrectedHere || record.corrections > 0
  const { percent } = record
  function download(format: MenuFormat, isOriginal = false) {
    if (percent === 100) rememberFormat(format)
    startDownload(session, record, format, isOriginal)
  }
  if (percent < 100) {
    return (
      <MenuGroup label="Not ready: work-in-progress text">
        <MenuItem note={`at ${Math.floor(percent)}%`} onSelect={() => download(unfinishedFormat)}>
          TXT
        </MenuItem>
      </MenuGroup>
    )
  }
  return (
    <>
      <MenuGroup label={isCorrected ? 'With your corrections' : 'Download as'}>
        {menuFormats.map((format) => (
          <MenuItem
            key={format}
            note={format === lastFormat ? 'last used' : formatNote(format, record)}
            onSelect={() => download(format)}
          >
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </MenuGroup>
      {isCorrected && (
        <MenuItem note={lastFormat.toUpperCase()} onSelect={() => download(lastFormat, true)}>
          Original
        </MenuItem>
      )}
    </>
  )
}
