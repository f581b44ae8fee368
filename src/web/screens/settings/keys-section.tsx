import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKeyEntry } from '../../../contract/account/keys.ts'
import { account } from '../../base/api/account.ts'
import { keys } from '../../base/api/keys.ts'
import { Button } from '../../base/ui/button.tsx'
import type { Dates } from '../../base/ui/dates.ts'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { OnceShown } from '../../base/ui/once-shown.tsx'
import { Pill } from '../../base/ui/pill.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { ChangeKeyDialog, MakeKeyDialog, RevokeKeyDialog } from './key-dialogs.tsx'
import { describeLimits } from './key-rights-fields.tsx'
import { Section } from './section.tsx'

type Asking = { to: 'make' } | { to: 'change' | 'revoke'; entry: ApiKeyEntry } | null

/** The account's API keys: create, change, revoke. A key is shown once; the one in use is marked. */
export function KeysSection() {
  const { data, error } = useQuery(keys.list(useSession()))
  const [asking, setAsking] = useState<Asking>(null)
  const [made, setMade] = useState<string | null>(null)
  const close = () => setAsking(null)
  return (
    <Section
      id="keys"
      title="API keys"
      words={
        <>
          Use a key to sign in here and as the user name of every API request (
          <a href="/docs" className="font-semibold text-accent underline-offset-2 hover:underline">
            API docs
          </a>
          ). Give each program its own key with only the rights that it needs, so that you can revoke it separately.
        </>
      }
      action={
        <Button onClick={() => setAsking({ to: 'make' })}>
          <KeyRound aria-hidden /> New key…
        </Button>
      }
    >
      {error && <Notice tone="bad">The keys could not be loaded. {error.message}</Notice>}
      <ul className="grid">
        {data === undefined && !error && <Skeleton className="h-12" />}
        {data?.map((entry) => (
          <KeyItem key={entry.id} entry={entry} onAsk={(to) => setAsking({ to, entry })} />
        ))}
      </ul>
      {asking?.to === 'make' && <MakeKeyDialog onClose={close} onMade={setMade} />}
      {asking?.to === 'change' && <ChangeKeyDialog entry={asking.entry} onClose={close} />}
      {asking?.to === 'revoke' && <RevokeKeyDialog entry={asking.entry} onClose={close} />}
      <OnceShown
        value={made}
        title="Your new API key"
        words="It is shown only once; Parley stores only a hash of it."
        fileName="parley-api-key.txt"
        onClose={() => setMade(null)}
      />
    </Section>
  )
}

type ItemProps = { entry: ApiKeyEntry; onAsk: (to: 'change' | 'revoke') => void }

function KeyItem({ entry, onAsk }: ItemProps) {
  const dates = useDates()
  const { data: overview } = useQuery(account.overview(useSession()))
  const limits = describeLimits(entry, (cents) => moneyText(cents, overview?.currency ?? ''))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2.5">
      <div className="grid min-w-48 flex-1">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {entry.name} {entry.current && <Pill tone="accent">current</Pill>}
        </span>
        {limits && <span className="text-sm text-ink-2 first-letter:uppercase">{limits}</span>}
        <span className="text-xs text-ink-3">{describeKey(entry, dates)}</span>
      </div>
      <code className="font-mono text-sm text-ink-2">···· {entry.last_four}</code>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Change ${entry.name}`} onClick={() => onAsk('change')}>
          Change…
        </Button>
        <Button size="sm" variant="danger-outline" aria-label={`Revoke ${entry.name}`} onClick={() => onAsk('revoke')}>
          Revoke…
        </Button>
      </div>
    </li>
  )
}

function describeKey({ created, last_used: lastUsed, expires }: ApiKeyEntry, dates: Dates): string {
  const used = lastUsed === null ? 'never used' : `last used ${dates.moment(Date.parse(lastUsed))}`
  const ends = expires === null ? '' : ` · expires ${dates.day(Date.parse(expires))}`
  return `created ${dates.day(Date.parse(created))} · ${used}${ends}`
}
