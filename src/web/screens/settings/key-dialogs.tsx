import { useState } from 'react'
import type { ApiKeyEntry } from '../../../contract/account/keys.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import type { Session } from '../../base/api/client.ts'
import { changeKey, createKey, keys, revokeKey } from '../../base/api/keys.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { KeyRightsFields, readDraft, toDraft } from './key-rights-fields.tsx'

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const maxNameLength = 80

/** When a key created now expires, as ISO 8601; null: never. */
function calculateExpiry(lifetime: Lifetime): string | null {
  return lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

function reread(session: Session): void {
  void queryClient.invalidateQueries({ queryKey: keys.list(session).queryKey })
}

/** Asks for a name, the key's lifetime and what it may do. `onMade` receives the key, which is shown only once. */
export function MakeKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const session = useSession()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const [draft, setDraft] = useState(() => toDraft())
  const limits = readDraft(draft)
  async function make() {
    const { key } = await createKey(session, { name: name.trim(), expires: calculateExpiry(lifetime), ...limits })
    reread(session)
    onMade(key)
  }
  return (
    <FormDialog
      title="New API key"
      submit="Create key"
      isReady={name.trim() !== '' && limits !== null}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Who or what uses it"
        maxLength={maxNameLength}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="grid gap-1.5">
        <span className="font-medium">Expires</span>
        <Segmented label="Expires" value={lifetime} options={lifetimes} onChange={setLifetime} />
      </div>
      <KeyRightsFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

type Props = { entry: ApiKeyEntry; onClose: () => void }

/** Changes the name of a key, and what it may do. */
export function ChangeKeyDialog({ entry, onClose }: Props) {
  const session = useSession()
  const [name, setName] = useState(entry.name)
  const [draft, setDraft] = useState(() => toDraft(entry))
  const limits = readDraft(draft)
  return (
    <FormDialog
      title="Change key"
      submit="Save"
      isReady={name.trim() !== '' && limits !== null}
      onSubmit={() => changeKey(session, entry.id, { name: name.trim(), ...limits }).then(() => reread(session))}
      onClose={onClose}
    >
      <Field label="Name" maxLength={maxNameLength} value={name} onChange={(event) => setName(event.target.value)} />
      <KeyRightsFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

export function RevokeKeyDialog({ entry, onClose }: Props) {
  const session = useSession()
  return (
    <FormDialog
      title={`Revoke “${entry.name}”?`}
      description={
        entry.current
          ? 'You are signed in with this key. You will be signed out immediately, here and wherever it is used.'
          : 'Programs and tabs that use it lose access within a second. This cannot be undone.'
      }
      submit={entry.current ? 'Revoke and sign out' : 'Revoke'}
      isDanger
      onSubmit={() => revokeKey(session, entry.id, entry.current).then(() => reread(session))}
      onClose={onClose}
    />
  )
}
