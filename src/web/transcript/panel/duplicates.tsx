import { Link } from 'react-router'
import { useLibrary } from '../../signed-in/library/use-live.ts'
import { useSession } from '../../signed-in/session/session.ts'

/** Links to the account's other files with the same recording (spec 2.2 `duplicates`). */
export function Duplicates({ ids }: { ids: readonly string[] }) {
  const { environment } = useSession()
  const { library } = useLibrary()
  return ids.map((id) => (
    <Link
      key={id}
      to={`/${environment}/files/${encodeURIComponent(id)}`}
      className="block underline underline-offset-2"
    >
      {library.row(id)?.record?.metadata.name || id}
    </Link>
  ))
}
