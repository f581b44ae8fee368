import { isGivenUp } from '../../base/api/metadata-reader.ts'
import { projects } from '../../base/api/projects.ts'
import { queryClient } from '../../base/api/query-client.ts'
import type { FileLibrary } from './library.ts'

let isAwaited: (projectId: string) => boolean = () => false

/** Defers news of a project while its uploads are in progress. */
export function awaitProjectUploads(isOnItsWay: (projectId: string) => boolean): void {
  isAwaited = isOnItsWay
}

/** How many files of a project are ready; null while any is pending. Ignores files that were given up. */
export function readyCount(library: FileLibrary, projectId: string): number | null {
  if (isAwaited(projectId)) return null
  // Current rows: the snapshot lags by a frame.
  const records = library.snapshot.get().rows.flatMap(({ id }) => library.row(id)?.record ?? [])
  const ofProject = records.filter(({ project }) => project === projectId)
  const ready = ofProject.filter(({ percent }) => percent === 100)
  return ofProject.every((record) => record.percent === 100 || isGivenUp(record)) ? ready.length : null
}

/** The name of a project; '' if it cannot be loaded. */
export async function projectName({ session }: FileLibrary, projectId: string): Promise<string> {
  const known = await queryClient.query(projects.list(session)).catch(() => [])
  return known.find(({ id }) => id === projectId)?.name ?? ''
}
