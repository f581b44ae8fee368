import { useQuery } from '@tanstack/react-query'
import { Folders, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { account } from '../../../base/api/account.ts'
import { projects } from '../../../base/api/projects.ts'
import { Button } from '../../../base/ui/button.tsx'
import { cardClass } from '../../../base/ui/card.tsx'
import { roughLength } from '../../../base/ui/duration.ts'
import { EmptyState } from '../../../base/ui/empty-state.tsx'
import { inputClass } from '../../../base/ui/field.tsx'
import { NotOffered } from '../../../base/ui/not-offered.tsx'
import { UnreadNotice } from '../../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../../base/ui/page-header.tsx'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import { Skeleton } from '../../../base/ui/skeleton.tsx'
import {
  MoreRows,
  numberCellClass,
  SortHeading,
  tableCellClass,
  tableClass,
  tableHeadCellClass,
} from '../../../base/ui/table.tsx'
import { useLibrary } from '../../../signed-in/library/use-live.ts'
import { NewProjectDialog } from '../../../signed-in/options/project-select.tsx'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../../signed-in/session/changes.tsx'
import { useSession } from '../../../signed-in/session/session.ts'
import { ReadingState } from '../bars/list-notices.tsx'
import { type ProjectLine, type ProjectOrder, projectLines, projectOrders } from './project-lines.ts'

/** Rows rendered at first; more on request. */
const rowsAtOnce = 200
const orders = Object.keys(projectOrders) as ProjectOrder[]

/** Projects (`/:env/projects`): what each has ready and waits for; search and sort order are in the URL. */
export function Component() {
  const session = useSession()
  const { data: overview } = useQuery(account.overview(session))
  const { data, error, refetch } = useQuery(projects.list(session))
  const { snapshot } = useLibrary()
  const navigate = useNavigate()
  const [isNaming, setIsNaming] = useState(false)
  const lines = useMemo(
    () =>
      data &&
      projectLines(
        data,
        snapshot.rows.flatMap(({ record }) => record ?? []),
      ),
    [data, snapshot],
  )
  if (overview?.features.projects === false) return <NotOffered title="Projects" />
  return (
    <div className={`${pageClass} max-w-6xl`}>
      <PageHeader
        title="Projects"
        subtitle={
          lines && (
            <>
              {formatCount(lines.length, 'project')} <ReadingState snapshot={snapshot} />
            </>
          )
        }
        actions={
          <Changes>
            <Button onClick={() => setIsNaming(true)}>New project…</Button>
          </Changes>
        }
      />
      {isNaming && (
        <NewProjectDialog
          session={session}
          onMade={({ id }) => void navigate(`/${session.environment}/projects/${encodeURIComponent(id)}`)}
          onClose={() => setIsNaming(false)}
        />
      )}
      {error && <UnreadNotice what="The projects" error={error} onAgain={() => void refetch()} />}
      {lines?.length === 0 && (
        <EmptyState icon={<Folders />} title="No projects yet">
          A project holds files together, with options, a budget and downloads of its own. Make one here, or drop a
          folder on New order.
        </EmptyState>
      )}
      {lines !== undefined && lines.length > 0 && <Projects lines={lines} />}
      {!lines && !error && <Skeleton className="h-96 w-full" />}
    </div>
  )
}

function Projects({ lines }: { lines: readonly ProjectLine[] }) {
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const by = orders.find((order) => order === search.get('sort')) ?? 'name'
  const { first, compare } = projectOrders[by]
  const isReversed = search.has('reversed')
  const direction = isReversed === (first === 'ascending') ? 'descending' : 'ascending'
  const found = lines.filter(({ project }) => project.name.toLowerCase().includes(text.trim().toLowerCase()))
  const sorted = found.sort((a, b) => (direction === 'ascending' ? compare(a, b) : compare(b, a)))
  const show = (q: string, sort: ProjectOrder, reversed: boolean) => {
    const shown = { ...(q && { q }), ...(sort !== 'name' && { sort }), ...(reversed && { reversed: '1' }) }
    setSearch(shown, { replace: true })
  }
  return (
    <>
      <label className="relative w-72 phone:w-full">
        <span className="sr-only">Search projects</span>
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-3" />
        <input
          type="search"
          placeholder={`Search ${formatCount(lines.length, 'project')}`}
          defaultValue={text}
          onChange={({ target: { value } }) => show(value, by, isReversed)}
          className={`${inputClass} pl-8.5`}
        />
      </label>
      <section aria-label="Projects" className={`${cardClass} overflow-x-auto`}>
        <table className={tableClass}>
          <thead>
            <tr>
              {orders.map((order) => (
                <SortHeading
                  key={order}
                  name={projectOrders[order].label}
                  className={`${tableHeadCellClass} ${looks[order]}`}
                  direction={order === by ? direction : null}
                  onSort={() => show(text, order, order === by && !isReversed)}
                />
              ))}
            </tr>
          </thead>
          <Rows lines={sorted} />
        </table>
        {found.length === 0 && <p className="border-t border-line px-3 py-8 text-center text-ink-2">No match.</p>}
      </section>
    </>
  )
}

/** On phones, running files and the last change are shown only on the project's own page. */
const looks = {
  name: '',
  ready: 'text-right',
  running: 'text-right phone:hidden',
  length: 'text-right',
  changed: 'text-right phone:hidden',
} satisfies Record<ProjectOrder, string>

function Rows({ lines }: { lines: readonly ProjectLine[] }) {
  const { environment } = useSession()
  const dates = useDates()
  const [shown, setShown] = useState(rowsAtOnce)
  const cell = (order: ProjectOrder) => `${tableCellClass} ${numberCellClass} ${looks[order]} whitespace-nowrap`
  return (
    <tbody>
      {lines.slice(0, shown).map(({ project: { id, name }, files, ready, running, seconds, changedAt }) => (
        <tr key={id}>
          <th scope="row" className={`${tableCellClass} font-medium wrap-anywhere`}>
            <Link to={`/${environment}/projects/${encodeURIComponent(id)}`} className="hover:underline">
              <bdi>{name}</bdi>
            </Link>
          </th>
          <td className={cell('ready')}>
            {files === 0 ? <span className="text-ink-3">no files</span> : `${countText(ready)} of ${countText(files)}`}
          </td>
          <td className={cell('running')}>{running === 0 ? '–' : countText(running)}</td>
          <td className={cell('length')}>{seconds === 0 ? '–' : roughLength(seconds)}</td>
          <td className={cell('changed')}>{dates.day(changedAt)}</td>
        </tr>
      ))}
      {lines.length > shown && (
        <tr>
          <td colSpan={orders.length} className="p-0">
            <MoreRows isReading={false} onMore={() => setShown(shown + rowsAtOnce)} />
          </td>
        </tr>
      )}
    </tbody>
  )
}
