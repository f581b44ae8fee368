import { type LoaderFunctionArgs, redirect } from 'react-router'
import { account } from '../../base/api/account.ts'
import { projects } from '../../base/api/projects.ts'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { requireSession } from '../../signed-in/session/session.ts'
import { inspector } from '../../signed-in/uploads/uploads.ts'
import { chooseProject } from './project-choice.ts'

/** Starts the worker that inspects recordings, and requests rates and defaults; `?project=` preselects a project. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response | null> {
  const session = requireSession(params, request)
  startQueries(queryClient.query(account.overview(session)))
  inspector.prepare()
  const wanted = new URL(request.url).searchParams.get('project')
  if (wanted === null) return null
  const known = await queryClient.query(projects.list(session)).catch(() => [])
  chooseProject(session, [], known.find(({ id }) => id === wanted) ?? null)
  return redirect(`/${session.environment}/order`)
}
