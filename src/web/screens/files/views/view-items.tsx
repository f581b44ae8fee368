import { useSettings } from '../../../base/api/settings.ts'
import { readViews } from '../../../base/api/views.ts'
import { MenuGroup, MenuItem, MenuSeparator } from '../../../base/ui/menu.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import { overwriteView } from './store-views.ts'
import type { ViewsProps } from './use-open-view.ts'

type Props = ViewsProps & { onDialog: (dialog: 'save' | 'views') => void }

/** The items of the views menu. */
export function ViewItems({ openView, query, onDialog }: Props) {
  const session = useSession()
  const views = readViews(useSettings(session))
  const { view, isChanged, open } = openView
  return (
    <>
      {views.length > 0 && (
        <div className="max-h-[50dvh] overflow-y-auto">
          <MenuGroup label="Views">
            <MenuItem onSelect={() => open(null)} note={openView.id === null && 'open'}>
              All files
            </MenuItem>
            {views.map(({ id, name }) => (
              <MenuItem
                key={id}
                onSelect={() => open(id)}
                note={id === openView.id && (isChanged ? 'changed' : 'open')}
              >
                <bdi>{name}</bdi>
              </MenuItem>
            ))}
          </MenuGroup>
        </div>
      )}
      {views.length > 0 && <MenuSeparator />}
      {view !== null && isChanged && (
        <MenuItem onSelect={() => void overwriteView(session, view, query, open)}>Save changes to this view</MenuItem>
      )}
      <MenuItem onSelect={() => onDialog('save')}>Save as a new view…</MenuItem>
      {views.length > 0 && <MenuItem onSelect={() => onDialog('views')}>Edit views…</MenuItem>}
    </>
  )
}
