import { useQuery } from '@tanstack/react-query'
import { account } from '../api/account.ts'
import { useSession } from '../session/session.ts'
import { Notice } from '../ui/notice.tsx'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { UnreadNotice } from '../ui/unread-notice.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { DefaultsSection } from './defaults-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { PaymentSection } from './payment-section.tsx'
import { RecognitionSection } from './recognition-section.tsx'
import { SandboxSection } from './sandbox-section.tsx'

/** Settings (`/:environment/settings`), as far as the service offers them. */
export function Component() {
  const session = useSession()
  const { data: overview, error, refetch } = useQuery(account.overview(session))
  const offers = overview?.features
  return (
    <div className={`${pageClass} max-w-4xl`}>
      <PageHeader
        title="Settings"
        subtitle={overview ? `${overview.name} · account ${overview.id}` : 'Keys, defaults and how Parley looks'}
      />
      {error && <UnreadNotice what="The account" error={error} onAgain={() => void refetch()} />}
      {overview === null && <Notice>This service keeps its account settings on a page of its own.</Notice>}
      {offers?.keys && <KeysSection />}
      {overview && <DefaultsSection key={JSON.stringify(overview.default_options)} overview={overview} />}
      {offers?.payment && <PaymentSection />}
      {overview && <RecognitionSection recognition={overview.recognition} />}
      <AppearanceSection />
      <NotificationsSection />
      {offers?.sandbox_tools && <SandboxSection />}
    </div>
  )
}
