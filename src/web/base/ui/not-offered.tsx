import { Notice } from './notice.tsx'
import { PageHeader, pageClass } from './page-header.tsx'

/** Replaces a page for which the service has no interface. */
export function NotOffered({ title }: { title: string }) {
  return (
    <div className={pageClass}>
      <PageHeader title={title} subtitle="Not available from this service" />
      <Notice>This service has its own page for this.</Notice>
    </div>
  )
}
