import { useState } from 'react'
import { Button } from '../../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../../base/ui/checkbox.tsx'
import { MoveButtons } from '../../../base/ui/move-buttons.tsx'
import { notifies, setNotifies } from '../../../signed-in/library/news.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import type { ColumnControls } from '../columns/column-layout.ts'

/** The visible columns, in order, and below them the others. */
export function ColumnChooser({ columns }: { columns: ColumnControls }) {
  const session = useSession()
  const [isNotifying, setIsNotifying] = useState(() => notifies('ready'))
  return (
    <>
      <ul>
        {columns.all.map(({ id, label }) => {
          const isShown = columns.visible.includes(id)
          return (
            <li key={id} className="flex min-h-8 items-center justify-between">
              <LabelledCheckbox
                label={label}
                checked={isShown}
                onChange={({ target }) => columns.show(id, target.checked)}
              />
              {isShown && (
                <span>
                  <MoveButtons name={label} onMove={(by) => columns.move(id, by)} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <Button size="sm" onClick={columns.reset}>
        Reset columns
      </Button>
      <LabelledCheckbox
        label="Notify me when a file is ready"
        checked={isNotifying}
        onChange={({ target }) => void setNotifies(session, 'ready', target.checked).then(setIsNotifying)}
      />
    </>
  )
}
