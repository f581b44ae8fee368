import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { projects } from '../../../base/api/projects.ts'
import { useSession } from '../../../signed-in/session/session.ts'

/** Names of the account's projects by id, if the service offers projects. */
export function useProjectNames(offered: boolean): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...projects.list(useSession()), enabled: offered })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}
