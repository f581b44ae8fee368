import { Bookmark, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { changeSettings, useSettings } from '../../../base/api/settings.ts'
import { movedPatch, readViews, type SavedView, viewName, viewsPatch } from '../../../base/api/views.ts'
import { Dialog } from '../../../base/ui/dialog.tsx'
import { FormDialog } from '../../../base/ui/form-dialog.tsx'
import { IconButton, pressedClass } from '../../../base/ui/icon-button.tsx'
import { MoveButtons } from '../../../base/ui/move-buttons.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import { NameField, nameIsTaken } from './save-dialog.tsx'
import { storeViews } from './store-views.ts'

/** All views: their order, names, and which are in the sidebar. Deletions here can be undone. */
export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const views = readViews(useSettings(session))
  const [deleted, setDeleted] = useState<readonly SavedView[]>([])
  const [naming, setNaming] = useState<SavedView | null>(null)
  const gone = deleted.filter(({ id }) => views.every((view) => view.id !== id))
  const rows = [...views, ...gone].sort((one, two) => one.at - two.at)
  const store = (patch: ReturnType<typeof viewsPatch> | null) => patch && void storeViews(session, patch)
  function remove(view: SavedView) {
    setDeleted([...gone, view])
    store(viewsPatch({ [view.id]: null }))
  }
  const restore = (some: readonly SavedView[]) =>
    store(viewsPatch(Object.fromEntries(some.map(({ id, ...view }) => [id, view]))))
  function close() {
    onClose()
    if (gone.length === 0) return
    const undo = { label: 'Undo', onPress: () => restore(gone) }
    showToast({ tone: 'ok', title: `${formatCount(gone.length, 'view')} deleted`, action: undo })
  }
  if (naming) return <RenameDialog view={naming} views={views} onClose={() => setNaming(null)} />
  return (
    <Dialog open onClose={close} title="Views" description="Those with a mark stand in the sidebar." width="md">
      <ul className="max-h-[50dvh] overflow-y-auto">
        {rows.map((view) => (
          <ViewRow
            key={view.id}
            view={view}
            isGone={gone.includes(view)}
            onPin={() => store(viewsPatch({ [view.id]: { pinned: !view.pinned } }))}
            onMove={(by) => store(movedPatch(views, view.id, by))}
            onRename={() => setNaming(view)}
            onDelete={() => remove(view)}
            onUndo={() => restore([view])}
          />
        ))}
      </ul>
    </Dialog>
  )
}

type RowProps = {
  view: SavedView
  isGone: boolean
  onPin: () => void
  onMove: (by: -1 | 1) => void
  onRename: () => void
  onDelete: () => void
  onUndo: () => void
}

function ViewRow({ view, isGone, onPin, onMove, onRename, onDelete, onUndo }: RowProps) {
  const { name } = view
  return (
    <li className="flex min-h-9 items-center border-t border-line">
      <span className={`min-w-0 flex-1 truncate ${isGone ? 'text-ink-3 line-through' : ''}`} title={name}>
        <bdi>{name}</bdi>
      </span>
      {!isGone && (
        <>
          <IconButton
            label={`${name} in the sidebar`}
            tooltip={false}
            aria-pressed={view.pinned}
            className={pressedClass}
            onClick={onPin}
          >
            <Bookmark aria-hidden />
          </IconButton>
          <MoveButtons name={name} onMove={onMove} />
          <IconButton label={`Rename ${name}`} tooltip={false} onClick={onRename}>
            <Pencil aria-hidden />
          </IconButton>
        </>
      )}
      {/* One button for both, so that it keeps keyboard focus. */}
      <IconButton
        label={`${isGone ? 'Undo deleting' : 'Delete'} ${name}`}
        tooltip={false}
        onClick={() => (isGone ? onUndo() : onDelete())}
      >
        {isGone ? <Undo2 aria-hidden /> : <Trash2 aria-hidden />}
      </IconButton>
    </li>
  )
}

type RenameProps = { view: SavedView; views: readonly SavedView[]; onClose: () => void }

function RenameDialog({ view, views, onClose }: RenameProps) {
  const session = useSession()
  const [typed, setTyped] = useState(view.name)
  const name = viewName(typed)
  const isTaken = nameIsTaken(views, name, view.id)
  return (
    <FormDialog
      title={`Rename ${view.name}`}
      submit="Rename"
      isReady={name !== '' && !isTaken}
      onSubmit={() => changeSettings(session, viewsPatch({ [view.id]: { name } }))}
      onClose={onClose}
    >
      <NameField value={typed} isTaken={isTaken} onChange={setTyped} />
    </FormDialog>
  )
}
