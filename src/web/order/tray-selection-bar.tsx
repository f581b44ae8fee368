import { Button } from '../ui/button.tsx'
import { countOf } from '../ui/sizes.ts'
import { uploadList } from '../uploads/uploads.ts'

type Props = {
  selected: ReadonlySet<string>
  badIds: readonly string[]
  onSelect: (ids: ReadonlySet<string>) => void
}

/** Actions on several uploads at once; nothing where none applies. */
export function TraySelectionBar({ selected, badIds, onSelect }: Props) {
  if (selected.size === 0 && badIds.length < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {selected.size > 0 ? (
        <>
          <p className="mr-auto text-ink-2">
            <strong className="font-semibold text-ink">{selected.size} selected</strong> · their options are on the
            panel
          </p>
          <Button
            size="sm"
            onClick={() => {
              uploadList.remove([...selected])
              onSelect(new Set())
            }}
          >
            Remove
          </Button>
        </>
      ) : (
        <>
          <p className="mr-auto text-ink-2">{countOf(badIds.length, 'file')} cannot be ordered.</p>
          <Button size="sm" onClick={() => uploadList.remove(badIds)}>
            Remove them
          </Button>
        </>
      )}
    </div>
  )
}
