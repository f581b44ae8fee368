import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, Settings, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { Project } from '../../../../contract/account/projects.ts'
import { account } from '../../../base/api/account.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { deleteProject, projects } from '../../../base/api/projects.ts'
import { useRight } from '../../../base/api/use-right.ts'
import { BudgetLine } from '../../../base/ui/budget-line.tsx'
import { Button, buttonClass } from '../../../base/ui/button.tsx'
import { EmptyState } from '../../../base/ui/empty-state.tsx'
import { FormDialog } from '../../../base/ui/form-dialog.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { PageHeader, pageClass } from '../../../base/ui/page-header.tsx'
import { ProgressBar } from '../../../base/ui/progress-bar.tsx'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../../signed-in/session/changes.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import { DownloadAll, type DownloadArchive } from '../download/download-all.tsx'
import { FilesPage } from '../files-route.tsx'
import { useNow } from '../list/use-now.ts'
import { ProjectDialog } from './project-dialog.tsx'
import { projectSums } from './project-sums.ts'

/** A project (`/:env/projects/:id`): its progress, its cost, and its files in the usual list. */
export function Component() {
  const { id = '' } = useParams()
  const session = useSession()
  const { data, error } = useQuery(projects.list(session))
  const project = data?.find((one) => one.id === id)
  if (project !== undefined) return <ProjectPage key={id} project={project} />
  return (
    <div className={pageClass}>
      <PageHeader title="Project" />
      {data !== undefined && (
        <EmptyState
          title="There is no such project"
          actions={
            <Link to={`/${session.environment}/files`} className={buttonClass()}>
              All files
            </Link>
          }
        >
          It may have been deleted. Its files are still in the list of all files.
        </EmptyState>
      )}
      {error && <EmptyState title="The project could not be loaded">{error.message}</EmptyState>}
    </div>
  )
}

function ProjectPage({ project }: { project: Project }) {
  const head = (snapshot: LibrarySnapshot, download: HeadProps['onDownload']) => (
    <ProjectHead project={project} snapshot={snapshot} onDownload={download} />
  )
  const empty = (
    <EmptyState title="No files yet">
      Choose the project when you order, or select files in the list and press “Project…”.
    </EmptyState>
  )
  const { id, name } = project
  const has = useCallback((record: FileRecord) => record.project === id, [id])
  return <FilesPage of={{ name, has, head, empty }} />
}

type HeadProps = {
  project: Project
  snapshot: LibrarySnapshot
  onDownload: DownloadArchive
}

function ProjectHead({ project, snapshot, onDownload }: HeadProps) {
  const session = useSession()
  const { environment } = session
  const mayOrder = useRight(session, 'order')
  const dates = useDates()
  const now = useNow()
  const [dialog, setDialog] = useState<'settings' | 'delete' | null>(null)
  const records = snapshot.rows.flatMap(({ record }) => (record ? [record] : []))
  const listed = records.filter(({ labels }) => !labels?.archived)
  const isReady = ({ percent }: FileRecord) => percent === 100
  // Archived files are left out as in the list, unless nothing else is ready.
  const downloaded = listed.some(isReady) ? listed : records
  const close = () => setDialog(null)
  return (
    <>
      <PageHeader
        title={project.name}
        subtitle={snapshot.total === null ? 'Loading files…' : projectSums(records, dates, now)}
        actions={
          <>
            <Changes>
              <Button onClick={() => setDialog('settings')}>
                <Settings aria-hidden /> Settings…
              </Button>
            </Changes>
            <DownloadAll
              records={downloaded}
              archive={{ name: project.name, leftOut: records.length - downloaded.length }}
              label="Download all"
              onDownload={onDownload}
            />
            {mayOrder && (
              <Link
                to={`/${environment}/order?project=${encodeURIComponent(project.id)}`}
                className={buttonClass('primary')}
              >
                <ArrowUpFromLine aria-hidden /> New order in this project
              </Link>
            )}
            <Changes>
              <Button variant="danger-outline" onClick={() => setDialog('delete')}>
                <Trash2 aria-hidden /> Delete…
              </Button>
            </Changes>
          </>
        }
      />
      <Progress project={project} ready={listed.filter(isReady).length} all={listed.length} />
      {dialog === 'settings' && <ProjectDialog project={project} onClose={close} />}
      {dialog === 'delete' && <DeleteProjectDialog project={project} onClose={close} />}
    </>
  )
}

/** How much of it is ready, and how much of its budget is spent. */
function Progress({ project, ready, all }: { project: Project; ready: number; all: number }) {
  const { data: overview } = useQuery(account.overview(useSession()))
  const money = (cents: number) => moneyText(cents, overview?.currency ?? '')
  const { spent_cents: spent, budget_cents: budget } = project
  return (
    <div className="grid max-w-lg grid-cols-2 gap-6 text-sm text-ink-2 phone:grid-cols-1 phone:gap-3">
      <div className="grid content-start gap-1.5">
        <p className="tabular-nums">
          {all === 0 ? 'Nothing to wait for' : `${Math.floor((ready / all) * 100)}% ready`}
        </p>
        <ProgressBar label="Ready" percent={all === 0 ? 0 : (ready / all) * 100} />
      </div>
      <div className="grid content-start gap-1.5">
        {budget === null ? (
          <p className="tabular-nums">{money(spent)} charged</p>
        ) : (
          <BudgetLine
            words={`${money(spent)} of ${money(budget)} spent${project.budget_per === 'month' ? ' this month' : ''}`}
            spentCents={spent}
            budgetCents={budget}
            beyond="Orders ask before they cost more."
          />
        )}
      </div>
    </div>
  )
}

function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const session = useSession()
  const navigate = useNavigate()
  const remove = async () => {
    await deleteProject(session, project.id)
    void navigate(`/${session.environment}/files`)
  }
  return (
    <FormDialog
      title={`Delete “${project.name}”?`}
      description="Its files stay, in no project. Its budget and defaults go."
      submit="Delete project"
      isDanger
      onSubmit={remove}
      onClose={onClose}
    />
  )
}
