import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { ApiKeyEntry } from '../../contract/account-keys.ts'
import { createKey, renameKey } from '../api/keys.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Segmented } from '../ui/segmented.tsx'

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const dayMs = 86_400_000

/** Asks for a name and how long the key lives. */
export function MakeKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const session = useSession()
  const formId = useId()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const make = useMutation({
    mutationFn: () => {
      const expires = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
      return createKey(session, name.trim(), expires)
    },
    onSuccess: ({ key }) => onMade(key),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API key"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabled={name.trim() === '' || make.isPending}>
            Make the key
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submitting(() => make.mutate())} className="grid gap-4">
        <Field
          label="Name"
          hint="Who or what will use it"
          maxLength={80}
          value={name}
          error={make.error?.message}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid gap-1.5">
          <span className="font-medium">Ends</span>
          <Segmented label="Ends" value={lifetime} options={lifetimes} onChange={setLifetime} />
        </div>
      </form>
    </Dialog>
  )
}

type RenameProps = { entry: ApiKeyEntry; onClose: () => void; onRenamed: () => void }

export function RenameKeyDialog({ entry, onClose, onRenamed }: RenameProps) {
  const session = useSession()
  const formId = useId()
  const [name, setName] = useState(entry.name)
  const rename = useMutation({
    mutationFn: () => renameKey(session, entry.id, name.trim()),
    onSuccess: () => {
      onClose()
      onRenamed()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename the key"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabled={name.trim() === '' || rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submitting(() => rename.mutate())}>
        <Field
          label="Name"
          maxLength={80}
          value={name}
          error={rename.error?.message}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

function submitting(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    act()
  }
}
