import { queryOptions } from '@tanstack/react-query'
import {
  changedProject,
  movedFiles,
  type Project,
  type ProjectChange,
  type ProjectOfFile,
  project,
  projectList,
} from '../../../contract/account/projects.ts'
import { account } from './account.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** The query of the account's projects, sorted by name. */
export const projects = {
  list: (session: Session) =>
    queryOptions({
      // Below the key that orders invalidate, since it includes the projects' spending.
      queryKey: [...account.all(session), 'projects'] as const,
      queryFn: async ({ signal }): Promise<Project[]> => {
        return (await askAccount(session, 'projects', projectList, { signal })).projects as Project[]
      },
      staleTime: 60_000,
    }),
}

function rereadProjects(session: Session): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: projects.list(session).queryKey })
}

/** @throws ApiError 409 if the name is taken */
export async function makeProject(session: Session, name: string): Promise<Project> {
  const made = await askAccount(session, 'projects', project, { method: 'POST', body: { name } })
  await rereadProjects(session)
  return made as Project
}

/** @returns the previous name @throws ApiError 404, 409 if the name is taken */
export async function changeProject(session: Session, id: string, body: ProjectChange): Promise<string> {
  const call = { method: 'PATCH', body } as const
  const { before } = await askAccount(session, `projects/${encodeURIComponent(id)}`, changedProject, call)
  await rereadProjects(session)
  return before
}

/** Deletes a project; its files stay, without one. @throws ApiError 404 */
export async function deleteProject(session: Session, id: string): Promise<void> {
  await sendToAccount(session, `projects/${encodeURIComponent(id)}`, { method: 'DELETE' })
  await rereadProjects(session)
}

/** Moves files into projects, all or none. @returns the moved files with their old projects @throws ApiError 404 */
export async function moveFiles(session: Session, files: readonly ProjectOfFile[]): Promise<ProjectOfFile[]> {
  const call = { method: 'PUT', body: { files } } as const
  const { before } = await askAccount(session, 'projects/files', movedFiles, call)
  await rereadProjects(session)
  return before
}
