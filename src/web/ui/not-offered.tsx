import { Notice } from './notice.tsx'
import { PageHeader, pageClass } from './page-header.tsx'

/** Shown in place of a page for which the service has no interface. */
export function NotOffered({ title }: { title: string }) {
  return (
    <div className={pageClass}>
      <PageHeader title={title} subtitle="Not part of this service’s interface" />
      <Notice>This service keeps it on a page of its own.</Notice>
    </div>
  )
}
