import { useState } from 'react'
import type { Project, ProjectOfFile } from '../../../contract/account/projects.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { moveFiles } from '../../base/api/projects.ts'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import type { FileLibrary } from '../library/library.ts'
import { ProjectSelect } from '../options/project-select.tsx'
import { showUndo } from './undo-toast.ts'

type Props = { records: readonly FileRecord[]; library: FileLibrary; onClose: () => void }

/** Chooses the project that files move to, or none. */
export function MoveDialog({ records, library, onClose }: Props) {
  const { session } = library
  const [first] = records
  const shared = records.every(({ project }) => project === first?.project) ? (first?.project ?? null) : null
  const [chosen, setChosen] = useState<Pick<Project, 'id' | 'name'> | null | undefined>(undefined)
  const save = () => {
    const project = chosen?.id ?? null
    const done = chosen ? `Moved to “${chosen.name}”` : 'In no project now'
    return move(
      library,
      records.map(({ id }) => ({ id, project })),
      done,
    )
  }
  return (
    <FormDialog
      title={`Project of ${formatCount(records.length, 'file')}`}
      description="What they cost counts in the budget of their project."
      submit="Move"
      isReady={chosen !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <ProjectSelect
        session={session}
        value={chosen === undefined ? shared : (chosen?.id ?? null)}
        onChange={setChosen}
      />
    </FormDialog>
  )
}

/** Moves files; a message confirms it and offers to undo. @throws ApiError */
async function move(library: FileLibrary, files: readonly ProjectOfFile[], done: string): Promise<void> {
  const { session } = library
  const before = await moveFiles(session, files)
  showUndo(library, done, before.length, () => moveFiles(session, before))
}
