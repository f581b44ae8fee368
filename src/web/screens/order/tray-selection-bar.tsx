import type { ReactNode } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { countOf } from '../../base/ui/sizes.ts'
import { removeFromTray } from '../../signed-in/uploads/tray/remove-from-tray.ts'
import { canReopen, reopenFiles } from '../../signed-in/uploads/tray/reopen-file.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'
import { FileChooser } from './intake.tsx'
import type { TraySummary } from './priced-tray.ts'

type Props = {
  owner: Owner
  selected: ReadonlySet<string>
  summary: TraySummary
  onSelect: (ids: ReadonlySet<string>) => void
}

/** Actions on several uploads at once; nothing if none applies. */
export function TraySelectionBar({ owner, selected, summary: { badIds, fileNeeded }, onSelect }: Props) {
  if (selected.size > 0) {
    const remove = () => {
      removeFromTray([...selected])
      onSelect(new Set())
    }
    return (
      <Bar text={`${countOf(selected.size, 'file')} selected · set their options in the panel`}>
        <Button size="sm" onClick={remove}>
          Remove
        </Button>
      </Bar>
    )
  }
  const reopenable = fileNeeded.filter(canReopen)
  return (
    <>
      {fileNeeded.length > 0 && (
        <Bar text={`The page was reloaded: ${countOf(fileNeeded.length, 'file')} to open again.`}>
          {reopenable.length > 0 ? (
            <Button size="sm" variant="primary" onClick={() => void reopenFiles(reopenable)}>
              Use the {countOf(reopenable.length, 'file')} on this device
            </Button>
          ) : (
            <span>
              <FileChooser owner={owner} label="Choose the files" /> or{' '}
              <FileChooser owner={owner} label="their folder" isFolder />
            </span>
          )}
        </Bar>
      )}
      {badIds.length > 1 && (
        <Bar text={`${countOf(badIds.length, 'file')} cannot be ordered.`}>
          <Button size="sm" onClick={() => removeFromTray(badIds)}>
            Remove them
          </Button>
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
