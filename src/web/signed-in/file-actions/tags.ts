import type { FileLibrary } from '../library/library.ts'

/** All tags of the account's loaded files, sorted. */
export function collectTags(library: FileLibrary): string[] {
  const tags = library.snapshot.get().rows.flatMap(({ record }) => record?.labels?.tags ?? [])
  return [...new Set(tags)].sort((a, b) => a.localeCompare(b))
}
