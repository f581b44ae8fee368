import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { maxProjectName, type Project } from '../../../contract/account/projects.ts'
import type { Session } from '../../base/api/client.ts'
import { makeProject, projects } from '../../base/api/projects.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Select } from '../../base/ui/select.tsx'

type Props = {
  session: Session
  value: string | null
  /** what `null` is called */
  none?: string
  onChange: (project: Project | null) => void
}

/** A choice of one of the account's projects, none, or a new one, which is created immediately. */
export function ProjectSelect({ session, value, none = 'No project', onChange }: Props) {
  const known = useQuery(projects.list(session)).data ?? []
  const [isNaming, setIsNaming] = useState(false)
  return (
    <>
      <Select
        label="Project"
        className="max-w-60 min-w-40"
        value={known.some(({ id }) => id === value) ? (value ?? '') : ''}
        options={[
          { value: '', label: none },
          ...known.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'new', label: 'New project…' },
        ]}
        onChange={(id) => (id === 'new' ? setIsNaming(true) : onChange(known.find((one) => one.id === id) ?? null))}
      />
      {isNaming && <NewProjectDialog session={session} onMade={onChange} onClose={() => setIsNaming(false)} />}
    </>
  )
}

type NewProps = { session: Session; onMade: (project: Project) => void; onClose: () => void }

/** Asks for the name of a new project, and creates it. */
export function NewProjectDialog({ session, onMade, onClose }: NewProps) {
  const [name, setName] = useState('')
  return (
    <FormDialog
      title="New project"
      description="It holds files together, with options, a budget and downloads of its own."
      submit="Make project"
      isReady={name.trim() !== ''}
      onSubmit={async () => onMade(await makeProject(session, name))}
      onClose={onClose}
    >
      <Field label="Name" value={name} maxLength={maxProjectName} onChange={({ target }) => setName(target.value)} />
    </FormDialog>
  )
}
