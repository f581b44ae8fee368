import type { Project } from '../../../contract/account/projects.ts'
import { maxProjectName } from '../../../contract/account/projects.ts'
import type { Session } from '../../base/api/client.ts'
import { makeProject } from '../../base/api/projects.ts'
import { Signal } from '../../base/state/signal.ts'
import { warnShare } from '../../base/ui/budget-line.tsx'
import { isUnderWay, type Upload } from '../../signed-in/uploads/tray/upload.ts'
import { uploadList } from '../../signed-in/uploads/uploads.ts'
import { editOrder } from './order-draft.ts'
import type { PricedUpload } from './priced-tray.ts'

/** Moves uploads, or the whole tray if `ids` is empty, into a project, applying its options and vocabulary. */
export function chooseProject(session: Session, ids: readonly string[], project: Project | null): void {
  const options = (project?.options ?? {}) as Upload['overrides']
  const own = project?.preset ? { preset: project.preset } : {}
  const id = project?.id ?? null
  if (ids.length === 0) editOrder(session, { ...options, ...own, project: id })
  else {
    uploadList.change(ids, ({ overrides }) => ({ overrides: { ...overrides, ...options }, ...own, project: id }))
  }
}

/** Recordings of the tray that came from one folder and are in no project. */
export type DroppedFolder = { name: string; ids: readonly string[] }

function sourceFolder({ source }: Upload): string {
  return source.kind === 'file' ? (source.folder ?? '') : ''
}

/** Folders of the tray whose recordings are in no project, in the tray's order. */
export function groupByFolder(priced: readonly PricedUpload[], projectOf: (upload: Upload) => Project | null) {
  const free = priced.filter(({ upload }) => projectOf(upload) === null)
  const byFolder = Map.groupBy(free, ({ upload }) => sourceFolder(upload))
  byFolder.delete('')
  return [...byFolder].map(([name, uploads]): DroppedFolder => ({ name, ids: uploads.map(({ upload }) => upload.id) }))
}

/** Fewer recordings are no project by themselves. */
const fewestOfProject = 2
/** More folders than this are not offered as projects. */
const mostOffers = 3

/** What becomes of dropped folders. */
export type FolderPlan = {
  offered: readonly DroppedFolder[]
  /** of them, those with a tick that is set: they may become projects of their names when the order is paid */
  fresh: readonly DroppedFolder[]
  /** the ones that do */
  made: readonly DroppedFolder[]
}

/** @param known null: not loaded */
export function planFolders(
  folders: readonly DroppedFolder[],
  known: readonly Project[] | null,
  isWanted: boolean,
): FolderPlan {
  const offered = known === null ? [] : folders.slice(0, mostOffers)
  const fresh = offered.filter(
    (folder) => folder.ids.length >= fewestOfProject && namedLike(known ?? [], folder) === undefined,
  )
  return { offered, fresh, made: isWanted ? fresh : [] }
}

const wishKey = 'parley.folders'

/** Whether dropped folders become projects, as this device was last told. */
export const folderWish = new Signal(localStorage.getItem(wishKey) !== 'loose')

/** Remembers it for the next folders. */
export function wishProjects(isWanted: boolean): void {
  if (isWanted) localStorage.removeItem(wishKey)
  else localStorage.setItem(wishKey, 'loose')
  folderWish.set(isWanted)
}

/**
 * Makes the planned projects.
 * @returns the project of each upload that is in one of them
 * @throws Error if some cannot be made, which it names; recordings of the others are in theirs by then
 */
export async function makeProjects(session: Session, { made }: FolderPlan): Promise<ReadonlyMap<string, Project>> {
  const projects = new Map<string, Project>()
  const failures: string[] = []
  for (const { name, ids } of made) {
    try {
      const project = await makeProject(session, name.slice(0, maxProjectName))
      for (const id of ids) projects.set(id, project)
    } catch (error) {
      failures.push(`“${name}”: ${(error as Error).message}`)
    }
  }
  if (failures.length === 0) return projects
  for (const [id, project] of projects) chooseProject(session, [id], project)
  throw new Error(failures.join(' '))
}

/** The project with the same name as a folder. */
export function namedLike(projects: readonly Project[], { name }: DroppedFolder): Project | undefined {
  return projects.find((project) => project.name.toLowerCase() === name.trim().toLowerCase())
}

/** Creates a project for a folder, or uses the one with its name. @throws ApiError */
export async function projectOfFolder(
  session: Session,
  known: readonly Project[],
  folder: DroppedFolder,
  isAll: boolean,
): Promise<void> {
  const project = namedLike(known, folder) ?? (await makeProject(session, folder.name.slice(0, maxProjectName)))
  chooseProject(session, isAll ? [] : folder.ids, project)
}

/** A project of which the order leaves less than a fifth of its budget, and its spending after the order, in cents. */
export type NearBudget = { project: Project; cents: number; isOver: boolean }

/** The projects whose budgets would be used up to 80 % or more, or exceeded, by this order and the uploads in progress. */
export function nearBudgets(
  ready: readonly PricedUpload[],
  submitted: readonly Upload[],
  projectOf: (upload: Upload) => Project | null,
  linkCents: number | null,
): NearBudget[] {
  const underWay = submitted.filter(isUnderWay)
  return [...Map.groupBy(ready, ({ upload }) => projectOf(upload))].flatMap(([project, uploads]) => {
    if (project === null || project.budget_cents === null) return []
    const waiting = underWay.filter(({ agreement }) => agreement?.project?.id === project.id)
    const before = waiting.reduce((sum, { agreement }) => sum + (agreement?.totalCents ?? 0), project.spent_cents)
    const cents = uploads.reduce((sum, { price }) => sum + (price?.cents ?? linkCents ?? 0), before)
    const isOver = cents > project.budget_cents
    return cents > before && cents >= warnShare * project.budget_cents ? [{ project, cents, isOver }] : []
  })
}
