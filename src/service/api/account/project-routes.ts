import {
  changedProject,
  movedFiles,
  newProject,
  project,
  projectChange,
  projectFiles,
  projectList,
} from '../../../contract/account/projects.ts'
import { moveFiles } from '../../orders/projects/move-files.ts'
import { changeProject, makeProject, projectsOf, removeProject } from '../../orders/projects/projects.ts'
import { answer, badBody, nothing } from '../http/operation.ts'
import { route } from '../http/route.ts'

/** `projects` of an account, and the files in them. */
export const projectRoutes = [
  route({
    call: 'get /projects',
    summary: 'List projects',
    answers: { 200: projectList },
    handler: async ({ platform, caller }) => ({ projects: await projectsOf(platform.db, caller.account.id) }),
  }),
  route({
    call: 'post /projects',
    summary: 'Make a project',
    answers: { 201: answer(project, 'The project.'), 409: 'The name is taken, or there are too many.' },
    body: newProject,
    handler: ({ platform, caller, body }) => makeProject(platform, caller.account.id, body.name),
  }),
  route({
    call: 'put /projects/files',
    summary: 'Put files into projects',
    answers: { 200: movedFiles, 400: badBody, 404: 'One of the projects is gone. Nothing was moved.' },
    body: projectFiles,
    description: 'All or nothing; files that are gone are left out. Answers what was before.',
    // Fits ten thousand files with their projects.
    bodyLimit: 2 * 1_024 * 1_024,
    handler: async ({ platform, caller, body }) => ({
      before: await moveFiles(platform, caller.account.id, body.files),
    }),
  }),
  route({
    call: 'patch /projects/{id}',
    summary: 'Change the name, the budget or the defaults of a project',
    answers: { 200: changedProject, 409: 'The name is taken.' },
    body: projectChange,
    handler: ({ platform, caller, params, body }) =>
      changeProject(platform, caller.account.id, params.id, body as Parameters<typeof changeProject>[3]),
  }),
  route({
    call: 'delete /projects/{id}',
    summary: 'Delete a project; its files stay',
    answers: { 204: nothing },
    handler: ({ platform, caller, params }) => removeProject(platform, caller.account.id, params.id),
  }),
]
