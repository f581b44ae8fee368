import { useState } from 'react'
import { notifies, setNotifies } from '../../library/news.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { LabelledCheckbox } from '../../ui/checkbox.tsx'
import { MoveButtons } from '../../ui/move-buttons.tsx'
import type { ColumnControls } from '../columns/column-layout.ts'

/** The columns that are shown, in their order, and below them the others. */
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
