import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { projects } from '../../base/api/projects.ts'
import { queryClient } from '../../base/api/query-client.ts'
import type { FileLibrary } from './library.ts'

let isAwaited: (projectId: string) => boolean = () => false

/** Has news of a project wait while files of it are on their way to the service. */
export function awaitUploadsOf(isOnItsWay: (projectId: string) => boolean): void {
  isAwaited = isOnItsWay
}

/** True if a recording was given up, so that it never becomes ready: what was paid for it went back. */
export function isGivenUp({ percent, metadata }: FileRecord): boolean {
  return percent < 100 && Number(metadata.refund_amount) > 0
}

/** How many files of a project are ready; null while any is on its way. What was given up never comes. */
export function readyCount(library: FileLibrary, projectId: string): number | null {
  if (isAwaited(projectId)) return null
  // Each row as it is now: the snapshot follows a frame later.
  const records = library.snapshot.get().rows.flatMap(({ id }) => library.row(id)?.record ?? [])
  const ofProject = records.filter(({ project }) => project === projectId)
  const ready = ofProject.filter(({ percent }) => percent === 100)
  return ofProject.every((record) => record.percent === 100 || isGivenUp(record)) ? ready.length : null
}

/** What a project is called; '' where that cannot be asked. */
export async function projectName({ session }: FileLibrary, projectId: string): Promise<string> {
  const known = await queryClient.query(projects.list(session)).catch(() => [])
  return known.find(({ id }) => id === projectId)?.name ?? ''
}
