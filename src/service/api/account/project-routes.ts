import {
  changedProject,
  movedFiles,
  newProject,
  project,
  projectChange,
  projectFiles,
  projectList,
} from '../../../contract/account/projects.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import { moveFiles } from '../../orders/projects/move-files.ts'
import { changeProject, listProjects, makeProject, removeProject } from '../../orders/projects/projects.ts'
import { route } from '../http/account-route.ts'
import { answer, nothing } from '../http/operation.ts'

/** `projects` of an account, and the files in them. */
export const projectRoutes = [
  route('get /projects', 'List projects', { withinProjects: true, 200: projectList }, async ({ platform, caller }) => {
    const projects = await listProjects(platform.db, caller.account.id, platform.clock())
    return { projects: projects.filter(({ id }) => reaches(caller, id)) }
  }),
  route(
    'post /projects',
    'Make a project',
    { body: newProject, 201: answer(project, 'The project.'), 409: 'The name is taken, or there are too many.' },
    ({ platform, caller, body }) => makeProject(platform, caller.account.id, body.name),
  ),
  route(
    'put /projects/files',
    'Put files into projects',
    {
      description: 'All or nothing; files that are gone are left out. Answers what was before.',
      right: 'correct',
      body: projectFiles,
      200: movedFiles,
      404: 'One of the projects is gone. Nothing was moved.',
      // Fits ten thousand files with their projects.
      http: { bodyLimit: 2 * 1_024 * 1_024 },
    },
    async ({ platform, caller, body }) => ({ before: await moveFiles(platform, caller.account.id, body.files) }),
  ),
  route(
    'patch /projects/{id}',
    'Change the name, the budget or the defaults of a project',
    { body: projectChange, 200: changedProject, 409: 'The name is taken.' },
    ({ platform, caller, params, body }) =>
      changeProject(platform, caller.account.id, params.id, body as Parameters<typeof changeProject>[3]),
  ),
  route('delete /projects/{id}', 'Delete a project; its files stay', { 204: nothing }, ({ platform, caller, params }) =>
    removeProject(platform, caller.account.id, params.id),
  ),
]
