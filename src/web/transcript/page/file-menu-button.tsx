import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { loadMenus } from '../../base/ui/menu.tsx'

const FilePageMenu = laterPart(
  async () => (await import('../../signed-in/file-actions/file-page-menu.tsx')).FilePageMenu,
)

/** Opens the menu of what can be done with the file. */
export function FileMenuButton({ record }: { record: FileRecord }) {
  const [menu, setMenu] = useState<{ anchor: HTMLElement; open: boolean } | null>(null)
  return (
    <>
      <IconButton
        label="More"
        tooltip={false}
        aria-haspopup="menu"
        aria-expanded={menu?.open === true}
        onPointerEnter={loadMenus}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setMenu({ anchor: event.currentTarget, open: true })
        }}
        onClick={({ currentTarget }) => setMenu({ anchor: currentTarget, open: menu?.open !== true })}
      >
        <Ellipsis aria-hidden />
      </IconButton>
      <Later wanted={menu !== null}>
        {menu && <FilePageMenu record={record} {...menu} onClose={() => setMenu({ ...menu, open: false })} />}
      </Later>
    </>
  )
}
