import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { Menu } from '../../../base/ui/menu.tsx'
import type { ViewsProps } from './use-open-view.ts'

const ViewItems = laterPart(async () => (await import('./view-items.tsx')).ViewItems)
const SaveDialog = laterPart(async () => (await import('./save-dialog.tsx')).SaveDialog)
const ViewsDialog = laterPart(async () => (await import('./views-dialog.tsx')).ViewsDialog)

/** The saved views: opens one, or saves the list as one. Their code is loaded on demand. */
export function ViewsButton(props: ViewsProps) {
  const [dialog, setDialog] = useState<'save' | 'views' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        trigger={
          <IconButton label="Views" tooltip={false}>
            <Bookmark aria-hidden />
          </IconButton>
        }
      >
        <ViewItems {...props} onDialog={setDialog} />
      </Menu>
      <Later wanted={dialog !== null}>
        {dialog === 'save' && <SaveDialog {...props} onClose={close} />}
        {dialog === 'views' && <ViewsDialog onClose={close} />}
      </Later>
    </>
  )
}
