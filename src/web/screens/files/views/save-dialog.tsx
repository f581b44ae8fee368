import { useState } from 'react'
import { changeSettings, useSettings } from '../../../base/api/settings.ts'
import { maxViewName, readViews, type SavedView, viewName, viewsPatch } from '../../../base/api/views.ts'
import { Field } from '../../../base/ui/field.tsx'
import { FormDialog } from '../../../base/ui/form-dialog.tsx'
import { Switch } from '../../../base/ui/switch.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import type { ViewsProps } from './use-open-view.ts'

type Props = ViewsProps & { onClose: () => void }

/** Saves the list as shown as a new view, and opens it. */
export function SaveDialog({ openView, query, onClose }: Props) {
  const session = useSession()
  const views = readViews(useSettings(session))
  const [id] = useState(() => crypto.randomUUID().slice(0, 8))
  const [typed, setTyped] = useState('')
  const [pinned, setPinned] = useState(true)
  const name = viewName(typed)
  const isTaken = nameIsTaken(views, name, id)
  const save = async () => {
    const at = Math.max(0, ...views.map((view) => view.at + 1))
    await changeSettings(session, viewsPatch({ [id]: { name, query, pinned, at } }))
    openView.open(id)
  }
  return (
    <FormDialog
      title="Save as a new view"
      description="Search, filters, sort order and columns as they are now."
      submit="Save view"
      isReady={name !== '' && !isTaken}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField value={typed} isTaken={isTaken} onChange={setTyped} />
      <Switch label="Show in the sidebar" checked={pinned} onChange={setPinned} />
    </FormDialog>
  )
}

/** True if another view has this name. @param id the view being named */
export function nameIsTaken(views: readonly SavedView[], name: string, id: string): boolean {
  return views.some((view) => view.id !== id && view.name === name)
}

type NameProps = { value: string; isTaken: boolean; onChange: (name: string) => void }

export function NameField({ value, isTaken, onChange }: NameProps) {
  return (
    <Field
      label="Name"
      value={value}
      maxLength={maxViewName}
      error={isTaken ? 'Another view has this name.' : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
