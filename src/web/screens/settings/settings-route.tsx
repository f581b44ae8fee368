import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { account } from '../../base/api/account.ts'
import { buttonClass } from '../../base/ui/button.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { SupportLink } from '../../base/ui/support-link.tsx'
import { ownPages } from '../../signed-in/session/offers.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { DefaultsSection, NotificationsSection, ProgramTextSection, ReceiptsSection } from './account-sections.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { BalanceSection } from './balance-section.tsx'
import { CaptionsSection } from './captions-section.tsx'
import { ClosingSection } from './closing-section.tsx'
import { ExportSection } from './export-section.tsx'
import { InvoicesSection } from './invoices-section.tsx'
import { describeLimits } from './key-rights-fields.tsx'
import { KeysSection } from './keys-section.tsx'
import { PaymentSection } from './payment-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { Section } from './section.tsx'
import { offeredSections, settingsSections } from './sections.ts'

/** A page of the settings (`/:environment/settings/:page`), as far as the service offers it. */
export function Component() {
  const { page = '' } = useParams()
  const { environment } = useSession()
  const { hash } = useLocation()
  const { data: overview, error, refetch } = useQuery(account.overview(useSession()))
  const sections = offeredSections(overview)
  useScrollTo(hash, overview !== undefined)
  if (!(page in contents)) {
    // One page had all sections, at the same names; bookmarks and messages lead there.
    const former = settingsSections.find(({ page, id }) => hash === `#${id ?? page}`)?.page
    const first = overview === null ? 'display' : 'account'
    return <Navigate to={`/${environment}/settings/${former ?? first}${hash}`} replace />
  }
  const title = settingsSections.find((one) => one.page === page && one.id === undefined)?.title
  const isOffered = sections.some((one) => one.page === page)
  return (
    <div className={`${pageClass} max-w-4xl`}>
      <PageHeader
        title={title}
        subtitle={page === 'account' && overview ? `${overview.name} · account ${overview.id}` : ''}
      />
      {error && <UnreadNotice what="Account settings" error={error} onAgain={() => void refetch()} />}
      {overview === null && <Notice>This service has its own page for account settings.</Notice>}
      {overview && !isOffered && <Notice>{whyNotOffered(overview)}</Notice>}
      {(overview || page === 'display') && contents[page as keyof typeof contents](overview ?? null)}
    </div>
  )
}

function whyNotOffered({ key_limits }: AccountOverview): string {
  return key_limits === undefined
    ? 'This service does not offer these settings.'
    : 'The key that you signed in with may not change this: it lacks the right “manage”. Another key can give it.'
}

/** Scrolls to the section of the address once the page has its sections. */
function useScrollTo(hash: string, isReady: boolean): void {
  useEffect(() => {
    if (isReady && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash, isReady])
}

/** What each page holds, for an account; null: the service has none. */
const contents = {
  account: (overview) => (
    <>
      {overview?.features.retention && <RetentionSection />}
      {overview?.key_limits && <OwnKey limits={overview.key_limits} overview={overview} />}
      {overview?.support_email && <Support email={overview.support_email} account={overview.id} />}
      {overview?.features.closing && <ExportSection />}
      {overview?.features.closing && <ClosingSection overview={overview} />}
      <Papers />
    </>
  ),
  keys: (overview) => overview?.features.keys && <KeysSection />,
  api: (overview) => (
    <>
      <ApiSection hasWebhooks={overview?.features.webhooks === true} />
      {overview?.program_text && <ProgramTextSection chosen={overview.program_text} />}
      {overview?.features.sandbox_tools && <SandboxSection />}
    </>
  ),
  ordering: (overview) =>
    overview && (
      <>
        <DefaultsSection key={JSON.stringify(overview.default_options)} overview={overview} />
        {overview.features.captions && <CaptionsSection overview={overview} />}
      </>
    ),
  money: (overview) => (
    <>
      {overview?.features.payment && <PaymentSection />}
      {overview?.features.payment && overview.balance && <BalanceSection overview={overview} />}
      {overview?.features.invoices && <InvoicesSection currency={overview.currency} />}
      {overview?.features.usage && overview.features.settings && !overview.features.invoices && <ReceiptsSection />}
    </>
  ),
  display: () => (
    <>
      <AppearanceSection />
      <NotificationsSection />
    </>
  ),
} satisfies Record<string, (overview: AccountOverview | null) => ReactNode>

/** What the key of this page may do, for readers who miss something. */
function OwnKey({
  limits,
  overview,
}: {
  limits: NonNullable<AccountOverview['key_limits']>
  overview: AccountOverview
}) {
  const words = describeLimits(limits, (cents) => moneyText(cents, overview.currency))
  return (
    <Section
      id="key"
      title="This key"
      words={`The key that ends in ${overview.key_last_four} ${words}. What it may not do is hidden here. A key that manages the account can change that.`}
    />
  )
}

function ApiSection({ hasWebhooks }: { hasWebhooks: boolean }) {
  const { environment } = useSession()
  return (
    <Section
      id="interface"
      title="Interface"
      words="Everything here can be done by programs, with a key. A webhook tells them of progress."
      action={
        <div className="flex flex-wrap gap-2">
          <a href="/docs" className={buttonClass()}>
            API docs
          </a>
          {hasWebhooks && (
            <Link to={`/${environment}/webhooks`} className={buttonClass()}>
              Webhooks
            </Link>
          )}
        </div>
      }
    />
  )
}

/** What the operator shows to customers, and licenses. */
function Papers() {
  return (
    <p className="text-sm text-ink-2">
      {[...ownPages(), 'licenses'].map((name) => (
        <a
          key={name}
          href={name === 'licenses' ? '/notices.txt' : `/${name}`}
          className="mr-4 inline-block capitalize underline underline-offset-2"
        >
          {name}
        </a>
      ))}
    </p>
  )
}

function Support({ email, account }: { email: string; account: string }) {
  return (
    <p className="text-ink-2">
      Support: <SupportLink email={email} subject={`Account ${account}`} />
    </p>
  )
}
