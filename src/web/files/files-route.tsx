import { PageHeader, pageClass } from '../ui/page-header.tsx'

export function Component() {
  return (
    <div className={pageClass}>
      <PageHeader title="Files" />
    </div>
  )
}
