import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKeyEntry } from '../../contract/account-keys.ts'
import { keys, revokeKey } from '../api/keys.ts'
import { queryClient } from '../api/query-client.ts'
import { useDates } from '../preferences/preferences.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import type { Dates } from '../ui/dates.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { OnceShown } from '../ui/once-shown.tsx'
import { Pill } from '../ui/pill.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MakeKeyDialog, RenameKeyDialog } from './key-dialogs.tsx'
import { Section } from './section.tsx'

type Asking = { to: 'make' } | { to: 'rename' | 'revoke'; entry: ApiKeyEntry } | null

/** The account's API keys: made, named, ended. A key is shown once; the one in use is marked. */
export function KeysSection() {
  const session = useSession()
  const { data, error } = useQuery(keys.list(session))
  const dates = useDates()
  const [asking, setAsking] = useState<Asking>(null)
  const [made, setMade] = useState<string | null>(null)
  const close = () => setAsking(null)
  const reread = () => queryClient.invalidateQueries({ queryKey: keys.list(session).queryKey })
  return (
    <Section
      id="keys"
      title="API keys"
      words="A key signs in here and is the user name of every API request. Give each program its own, so that one can be ended alone."
      action={
        <Button onClick={() => setAsking({ to: 'make' })}>
          <KeyRound aria-hidden /> New key …
        </Button>
      }
    >
      {error && <Notice tone="bad">The keys could not be read. {error.message}</Notice>}
      <ul className="grid">
        {data === undefined && !error && <Skeleton className="h-12" />}
        {data?.map((entry) => (
          <li key={entry.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2.5">
            <div className="grid min-w-48 flex-1">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {entry.name} {entry.current && <Pill tone="accent">in use here</Pill>}
              </span>
              <span className="text-xs text-ink-3">{factsOf(entry, dates)}</span>
            </div>
            <code className="font-mono text-sm text-ink-2">···· {entry.last_four}</code>
            <div className="flex gap-2">
              <Button size="sm" aria-label={`Rename ${entry.name}`} onClick={() => setAsking({ to: 'rename', entry })}>
                Rename
              </Button>
              <Button
                size="sm"
                variant="danger-outline"
                aria-label={`Revoke ${entry.name}`}
                onClick={() => setAsking({ to: 'revoke', entry })}
              >
                Revoke …
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asking?.to === 'make' && (
        <MakeKeyDialog
          onClose={close}
          onMade={(key) => {
            close()
            setMade(key)
            void reread()
          }}
        />
      )}
      {asking?.to === 'rename' && (
        <RenameKeyDialog entry={asking.entry} onClose={close} onRenamed={() => void reread()} />
      )}
      {asking?.to === 'revoke' && <RevokeDialog entry={asking.entry} onClose={close} onRevoked={() => void reread()} />}
      <OnceShown
        value={made}
        title="Your new API key"
        words="It is shown this once; Parley keeps only a digest of it."
        fileName="parley-api-key.txt"
        onClose={() => setMade(null)}
      />
    </Section>
  )
}

function factsOf({ created, last_used: lastUsed, expires }: ApiKeyEntry, dates: Dates): string {
  const used = lastUsed === null ? 'never used' : `last used ${dates.moment(Date.parse(lastUsed))}`
  const ends = expires === null ? '' : ` · ends ${dates.day(Date.parse(expires))}`
  return `made ${dates.day(Date.parse(created))} · ${used}${ends}`
}

type RevokeProps = { entry: ApiKeyEntry; onClose: () => void; onRevoked: () => void }

function RevokeDialog({ entry, onClose, onRevoked }: RevokeProps) {
  const session = useSession()
  const revoke = useMutation({
    mutationFn: () => revokeKey(session, entry.id, entry.current),
    onSuccess: () => {
      onClose()
      onRevoked()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Revoke “${entry.name}”?`}
      description={
        entry.current
          ? 'It is the key that you are signed in with: you will be signed out at once, here and wherever it is used.'
          : 'Programs and tabs that use it are refused within a second. This cannot be undone.'
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            {entry.current ? 'Revoke it and sign out' : 'Revoke'}
          </Button>
        </>
      }
    >
      {revoke.error && <Notice tone="bad">{revoke.error.message}</Notice>}
    </Dialog>
  )
}
