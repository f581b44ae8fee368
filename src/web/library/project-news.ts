import { projects } from '../api/projects.ts'
import { queryClient } from '../api/query-client.ts'
import type { FileLibrary } from './library.ts'

let isAwaited: (projectId: string) => boolean = () => false

/** Has news of a project wait while files of it are on their way to the service. */
export function awaitUploadsOf(isOnItsWay: (projectId: string) => boolean): void {
  isAwaited = isOnItsWay
}

/** How many files of a project are ready; null while not all of it is. */
export function readyCount(library: FileLibrary, projectId: string): number | null {
  if (isAwaited(projectId)) return null
  // Each row as it is now: the snapshot follows a frame later.
  const records = library.snapshot.get().rows.flatMap(({ id }) => library.row(id)?.record ?? [])
  const ofProject = records.filter(({ project }) => project === projectId)
  return ofProject.every(({ percent }) => percent === 100) ? ofProject.length : null
}

/** What a project is called; '' where that cannot be asked. */
export async function projectName({ session }: FileLibrary, projectId: string): Promise<string> {
  const known = await queryClient.query(projects.list(session)).catch(() => [])
  return known.find(({ id }) => id === projectId)?.name ?? ''
}
