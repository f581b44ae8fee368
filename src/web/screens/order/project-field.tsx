import { useMutation } from '@tanstack/react-query'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { ProjectSelect } from '../../signed-in/options/project-select.tsx'
import {
  chooseProject,
  type DroppedFolder,
  folderWish,
  namedLike,
  projectOfFolder,
  wishProjects,
} from './project-choice.ts'
import type { Order } from './use-order.ts'

type Props = { session: Session; order: Order; selected: ReadonlySet<string> }

/** The project of the selected uploads, or of the whole tray, with a suggestion for dropped folders. */
export function ProjectField({ session, order, selected }: Props) {
  const { projects, priced } = order
  if (!projects.offered) return null
  const [first] = selected.size > 0 ? priced.filter(({ upload }) => selected.has(upload.id)) : []
  const value = first ? (projects.of(first.upload)?.id ?? null) : projects.drafted
  const chosen = projects.known?.find(({ id }) => id === value)
  const isGone = projects.known !== null && value !== null && !projects.known.some(({ id }) => id === value)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3">
        <span>Project</span>
        <ProjectSelect
          session={session}
          value={value}
          none={nameNone(order, selected)}
          onChange={(project) => chooseProject(session, [...selected], project)}
        />
      </div>
      {chosen?.budget_cents != null && (
        <p className="text-sm text-ink-2 tabular-nums">
          {moneyText(chosen.spent_cents, order.currency)} of its budget of{' '}
          {moneyText(chosen.budget_cents, order.currency)} is spent{chosen.budget_per === 'month' && ' this month'}.
        </p>
      )}
      {isGone && <p className="text-sm text-warn">Its project was deleted. These files are ordered without one.</p>}
      {selected.size === 0 && <FolderOffers session={session} order={order} />}
    </div>
  )
}

/** What it is called to choose no project: recordings of folders that become projects are in one all the same. */
function nameNone({ projects, priced }: Order, selected: ReadonlySet<string>): string {
  const made = new Set(projects.folders.made.flatMap(({ ids }) => ids))
  const shown = selected.size > 0 ? [...selected] : priced.map(({ upload }) => upload.id)
  if (!shown.some((id) => made.has(id))) return 'No project'
  return shown.every((id) => made.has(id)) ? 'By folder' : 'By folder, else none'
}

/** Dropped folders, which become projects when the order is paid unless the tick is taken away. */
function FolderOffers({ session, order }: Pick<Props, 'session' | 'order'>) {
  const isWanted = useSignal(folderWish)
  const { offered, fresh } = order.projects.folders
  return (
    <>
      {offered.map((folder) => (
        <FolderOffer key={folder.name} session={session} order={order} folder={folder} />
      ))}
      {fresh.length > 0 && (
        <LabelledCheckbox
          label={fresh.length === 1 ? 'Make it a project' : 'Make each a project'}
          checked={isWanted}
          onChange={({ target }) => wishProjects(target.checked)}
        />
      )}
    </>
  )
}

type OfferProps = { session: Session; order: Order; folder: DroppedFolder }

function FolderOffer({ session, order: { projects, priced }, folder }: OfferProps) {
  const known = projects.known ?? []
  const take = useMutation({
    mutationFn: () => projectOfFolder(session, known, folder, folder.ids.length === priced.length),
  })
  return (
    <p className="text-sm text-ink-2">
      {formatCount(folder.ids.length, 'file')} from the folder “<bdi>{folder.name}</bdi>”.{' '}
      {!projects.folders.fresh.includes(folder) && (
        <button
          type="button"
          disabled={take.isPending}
          onClick={() => take.mutate()}
          className="rounded-sm font-semibold underline underline-offset-2 hover:no-underline"
        >
          {namedLike(known, folder) ? 'Put into the project of this name' : 'Make it a project'}
        </button>
      )}
      {take.error && <span className="block text-bad">{take.error.message}</span>}
    </p>
  )
}

/** Before paying: which budgets the order would exceed, and the choice to order anyway. */
export function BudgetWarning({ order: { projects, currency } }: { order: Order }) {
  const near = projects.near.map(({ project, cents }) => (
    <Notice key={project.id} tone="warn">
      With this order “<bdi>{project.name}</bdi>” has spent {moneyText(cents, currency)} of its budget of{' '}
      {moneyText(project.budget_cents ?? Number.NaN, currency)}.
    </Notice>
  ))
  if (projects.over.length === 0) return near
  return (
    <Notice tone="warn">
      <div className="grid gap-2 text-sm">
        {projects.over.map(({ project, cents }) => (
          <p key={project.id}>
            With this order “<bdi>{project.name}</bdi>” costs {moneyText(cents, currency)}, more than its budget of{' '}
            {moneyText(project.budget_cents ?? Number.NaN, currency)}.
          </p>
        ))}
        <LabelledCheckbox
          label="Order over the budget"
          checked={projects.isAgreed}
          onChange={({ target }) => projects.agree(target.checked)}
        />
      </div>
    </Notice>
  )
}
