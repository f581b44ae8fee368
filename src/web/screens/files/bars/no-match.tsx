import { useQuery } from '@tanstack/react-query'
import { searchedName } from '../../../../contract/account/projects.ts'
import { projects } from '../../../base/api/projects.ts'
import { Button } from '../../../base/ui/button.tsx'
import { EmptyState } from '../../../base/ui/empty-state.tsx'
import { collectTags } from '../../../signed-in/file-actions/tags.ts'
import type { FileLibrary } from '../../../signed-in/library/library.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { readSearch } from '../list/search-words.ts'

type Props = {
  library: FileLibrary
  search: string
  /** all files are read */
  complete: boolean
  /** without filters, only archived files are left out */
  isFiltered: boolean
  onClear: () => void
  onArchived: () => void
}

/** Replaces the list while none of the files are shown: why, and how to see them. */
export function NoMatch({ library, search, complete, isFiltered, onClear, onArchived }: Props) {
  const known = collectTags(library).map((tag) => tag.toLowerCase())
  const { tags, project } = readSearch(search)
  const unknown = tags.filter((tag) => !known.includes(tag))
  const { data } = useQuery({ ...projects.list(useSession()), enabled: project !== null })
  const isGone = project !== null && data?.every(({ name }) => searchedName(name) !== project) === true
  if (complete && !isFiltered) {
    return (
      <EmptyState title="All files are archived" actions={<Button onClick={onArchived}>Show archived files</Button>} />
    )
  }
  return (
    <EmptyState
      title={complete ? 'No file matches' : 'No file matches so far'}
      actions={<Button onClick={onClear}>Show all files</Button>}
    >
      {isGone && `There is no project “${project}”: it may have been renamed or deleted. `}
      {complete && unknown.map((tag) => `No file has the tag “${tag}”. `)}
      {complete ? 'Change the search or the filters.' : 'Still searching…'}
    </EmptyState>
  )
}
