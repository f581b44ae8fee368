import { useState } from 'react'
import { changeLabels } from '../../base/api/labels.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { BeginField } from '../../signed-in/file-actions/begin-field.tsx'
import { useLibrary } from '../../signed-in/library/use-live.ts'

/** Sets when a recording began, from which the times of its text then count. */
export function BeginDialog({ record, onClose }: { record: FileRecord; onClose: () => void }) {
  const { library } = useLibrary()
  const [begins, setBegins] = useState<number | null | undefined>(record.labels?.begins_at_seconds ?? null)
  const save = async () => {
    await changeLabels(library.session, { ids: [record.id], begins_at_seconds: begins })
    library.refresh()
  }
  return (
    <FormDialog title="Times" submit="Save" isReady={begins !== undefined} onSubmit={save} onClose={onClose}>
      <BeginField session={library.session} id={record.id} value={begins ?? null} onChange={setBegins} />
    </FormDialog>
  )
}
