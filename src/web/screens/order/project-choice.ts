import type { Project } from '../../../contract/account/projects.ts'
import { maxProjectName } from '../../../contract/account/projects.ts'
import type { Session } from '../../base/api/client.ts'
import { makeProject } from '../../base/api/projects.ts'
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
