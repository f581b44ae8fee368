import { PinnedViews } from './pinned-views.tsx'
import { ProjectLinks } from './project-links.tsx'

/** What the sidebar has below its pages, once the page stands. @param linkClass classes of a link, for the open one and the others */
export function SidebarSections({ linkClass }: { linkClass: (isActive: boolean) => string }) {
  return (
    <>
      <PinnedViews linkClass={linkClass} />
      <ProjectLinks linkClass={linkClass} />
    </>
  )
}
