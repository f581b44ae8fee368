import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { buttonClass } from '../../base/ui/button.tsx'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { SupportLink } from '../../base/ui/support-link.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { DefaultsSection, NotificationsSection, ProgramTextSection, ReceiptsSection } from './account-sections.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { PaymentSection } from './payment-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { Section } from './section.tsx'

/** Settings (`/:environment/settings`), as far as the service offers them. */
export function Component() {
  const session = useSession()
  const { data: overview, error, refetch } = useQuery(account.overview(session))
  const offers = overview?.features
  return (
    <div className={`${pageClass} max-w-5xl`}>
      <PageHeader
        title="Settings"
        subtitle={overview ? `${overview.name} · account ${overview.id}` : 'API keys, defaults and appearance'}
      />
      {error && <UnreadNotice what="Account settings" error={error} onAgain={() => void refetch()} />}
      {overview === null && <Notice>This service has its own page for account settings.</Notice>}
      <div className="grid grid-cols-[9rem_minmax(0,1fr)] items-start gap-x-8 gap-y-4 max-lg:grid-cols-1">
        <Contents
          sections={{
            keys: offers?.keys && 'API keys',
            defaults: overview && 'Default options',
            programs: overview?.program_text && 'Text in the API',
            vocabulary: offers?.vocabulary && 'Vocabulary',
            payment: offers?.payment && 'Payment',
            receipts: offers?.usage && offers.settings && 'Receipts',
            retention: offers?.retention && 'Automatic deletion',
            log: offers?.log && 'Account log',
            appearance: 'Appearance',
            notifications: 'Notifications',
            sandbox: offers?.sandbox_tools && 'Sandbox tools',
          }}
        />
        <div className="grid min-w-0 gap-4">
          {offers?.keys && <KeysSection />}
          {overview && <DefaultsSection key={JSON.stringify(overview.default_options)} overview={overview} />}
          {overview?.program_text && <ProgramTextSection chosen={overview.program_text} />}
          {offers?.vocabulary && <VocabularyLink environment={session.environment} />}
          {offers?.payment && <PaymentSection />}
          {offers?.usage && offers.settings && <ReceiptsSection />}
          {offers?.retention && <RetentionSection />}
          {offers?.log && <LogLink environment={session.environment} />}
          <AppearanceSection />
          <NotificationsSection />
          {offers?.sandbox_tools && <SandboxSection />}
          {overview?.support_email && <Support email={overview.support_email} account={overview.id} />}
        </div>
      </div>
    </div>
  )
}

function VocabularyLink({ environment }: Pick<Session, 'environment'>) {
  return (
    <Section
      id="vocabulary"
      title="Vocabulary"
      words="Words and names that automated transcripts get wrong, and how they are written. New transcripts are corrected by them."
      action={
        <Link to={`/${environment}/settings/vocabulary`} className={buttonClass()}>
          Open vocabulary
        </Link>
      }
    />
  )
}

function LogLink({ environment }: Pick<Session, 'environment'>) {
  return (
    <Section
      id="log"
      title="Account log"
      words="What was ordered, read, corrected, deleted and changed, by which key and from where. Kept for a year."
      action={
        <Link to={`/${environment}/settings/log`} className={buttonClass()}>
          Open log
        </Link>
      }
    />
  )
}

function Support({ email, account }: { email: string; account: string }) {
  return (
    <p className="text-ink-2">
      Support: <SupportLink email={email} subject={`Account ${account}`} />
    </p>
  )
}

/** Links to the sections by id, beside them or, in narrow windows, above. */
function Contents({ sections }: { sections: Record<string, string | false | null | undefined> }) {
  return (
    <nav aria-label="Contents" className="sticky top-7 max-lg:static">
      <ul className="grid gap-0.5 max-lg:flex max-lg:flex-wrap">
        {Object.entries(sections).map(
          ([id, title]) =>
            title && (
              <li key={id}>
                <a href={`#${id}`} className="block rounded-md px-2.5 py-1.5 text-ink-2 hover:bg-sunken hover:text-ink">
                  {title}
                </a>
              </li>
            ),
        )}
      </ul>
    </nav>
  )
}
