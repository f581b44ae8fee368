import { useState } from 'react'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import type { Version } from './kept-versions.ts'

/** Asks for the name of a version. */
export function NameDialog({
  version,
  onNamed,
  onClose,
}: {
  version: Version
  onNamed: () => void
  onClose: () => void
}) {
  const [name, setName] = useState(version.name ?? '')
  return (
    <FormDialog
      title="Name this version"
      submit="Save name"
      isReady={name.trim() !== ''}
      onSubmit={async () => {
        await version.rename?.(name.trim())
        onNamed()
      }}
      onClose={onClose}
    >
      <Field label="Name" value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
    </FormDialog>
  )
}
