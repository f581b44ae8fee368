import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noticeDays, type RetentionRule, type RetentionState } from '../../../contract/account/retention.ts'
import { changeRule, retentionQuery } from '../../base/api/retention-rules.ts'
import { Button } from '../../base/ui/button.tsx'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import {
  type Asked,
  ConfirmRuleDialog,
  ForecastList,
  periodsText,
  RuleDialog,
  scopeText,
} from '../../signed-in/options/rule-dialogs.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

/** Rules that delete recordings and files, and upcoming deletions. */
export function RetentionSection() {
  const session = useSession()
  const { data, error, refetch } = useQuery(retentionQuery(session))
  const [edited, setEdited] = useState<RetentionRule | 'new' | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  async function askToRemove({ scope, target }: RetentionRule) {
    try {
      const change = { scope, target, keep: null, confirmed: false }
      setAsked({ change, preview: await changeRule(session, change) })
    } catch (problem) {
      showToast({ tone: 'bad', title: 'Could not read what that would delete', detail: (problem as Error).message })
    }
  }
  return (
    <Section
      id="retention"
      title="Automatic deletion"
      words="Delete recordings, or whole files, some days after they are ready. You see it a week ahead, and the account log records what was deleted."
      action={<Button onClick={() => setEdited('new')}>New rule</Button>}
    >
      {error && <UnreadNotice what="The retention rules" error={error} onAgain={() => void refetch()} />}
      {data ? (
        <Rules state={data} onEdit={setEdited} onRemove={(rule) => void askToRemove(rule)} />
      ) : (
        !error && <Skeleton className="h-9 w-full" />
      )}
      {data && edited !== null && (
        <RuleDialog
          known={data}
          rule={edited === 'new' ? null : edited}
          onAsk={setAsked}
          onClose={() => setEdited(null)}
        />
      )}
      {asked && <ConfirmRuleDialog asked={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

type Props = { state: RetentionState; onEdit: (rule: RetentionRule) => void; onRemove: (rule: RetentionRule) => void }

function Rules({ state: { rules, days, later, held }, onEdit, onRemove }: Props) {
  const { environment } = useSession()
  if (rules.length === 0) return <p className="border-t border-line pt-3 text-ink-2">No rules: everything is kept.</p>
  return (
    <>
      <ul className="grid">
        {rules.map((rule) => (
          <li
            key={`${rule.scope} ${rule.target}`}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line py-2"
          >
            <span className="min-w-0">
              <bdi className="font-medium">{scopeText(rule)}</bdi>
              <span className="block text-sm text-ink-2">{periodsText(rule)}</span>
            </span>
            <span className="flex gap-2">
              <Button size="sm" aria-label={`Change: ${scopeText(rule)}`} onClick={() => onEdit(rule)}>
                Change
              </Button>
              <Button size="sm" aria-label={`Remove: ${scopeText(rule)}`} onClick={() => onRemove(rule)}>
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <p className="max-w-prose text-sm text-ink-2">
        The nearest rule counts: of a tag, else of the project, else of all files; of two tags the one that keeps
        longer. A file for which another rule comes to count stays for at least {noticeDays} days. Files in progress and
        files that are kept forever stay.{' '}
        {held > 0 && `${formatCount(held, 'file')} ${held === 1 ? 'is' : 'are'} kept forever.`}
      </p>
      <div className="grid gap-1 border-t border-line pt-3">
        <h3 className="font-medium">What will be deleted</h3>
        {environment === 'sandbox' && (
          <p className="text-ink-2">Files of the sandbox are removed after 24 hours, before any rule.</p>
        )}
        {days.length > 0 ? <ForecastList days={days} later={later} /> : <p className="text-ink-2">Nothing so far.</p>}
      </div>
    </>
  )
}
