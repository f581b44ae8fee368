import { Button } from '../../../base/ui/button.tsx'
import { Notice } from '../../../base/ui/notice.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import { overwriteView } from './store-views.ts'
import type { ViewsProps } from './use-open-view.ts'

/** Below the heading: the URL's view is deleted, changed, or names a deleted column; otherwise empty. */
export function ViewLine({ openView, query, unknownColumns }: ViewsProps) {
  const session = useSession()
  const { view, isLoading, isChanged, open } = openView
  if (isLoading) return null
  if (view === null) {
    return (
      <Notice
        action={
          <Button size="sm" onClick={() => open(null)}>
            Show all files
          </Button>
        }
      >
        The view of this link does not exist any more. Files are shown without it.
      </Notice>
    )
  }
  return (
    <>
      {unknownColumns.length > 0 && (
        <Notice>
          This view has columns that do not exist any more: {unknownColumns.join(', ')}. They are left out.
        </Notice>
      )}
      {isChanged && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-ink-2">Changed since it was saved.</span>
          <Button size="sm" onClick={() => void overwriteView(session, view, query, open)}>
            Save changes to this view
          </Button>
          <Button variant="quiet" size="sm" onClick={() => open(view.id)}>
            Discard changes
          </Button>
        </div>
      )}
    </>
  )
}
