import type { FastifyInstance } from 'fastify'
import { newProject, projectChange, projectFiles } from '../../../contract/account/projects.ts'
import { moveFiles } from '../../orders/projects/move-files.ts'
import { changeProject, makeProject, projectsOf, removeProject } from '../../orders/projects/projects.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBody } from '../http/read-request.ts'

/** Ten thousand files with their projects. */
const bodyLimit = 2 * 1_024 * 1_024

type OfProject = { Params: { id: string } }

/** `projects` of an account, and which files they hold. */
export async function projectRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get('projects', async ({ caller }) => ({ projects: await projectsOf(platform.db, caller.account.id) }))

  app.post('projects', async (request, reply) => {
    reply.code(201)
    return await makeProject(platform, request.caller.account.id, readBody(newProject, request).name)
  })

  app.put('projects/files', { bodyLimit }, async (request) => ({
    before: await moveFiles(platform, request.caller.account.id, readBody(projectFiles, request).files),
  }))

  app.patch<OfProject>('projects/:id', async (request) => {
    const change = readBody(projectChange, request) as Parameters<typeof changeProject>[3]
    return await changeProject(platform, request.caller.account.id, request.params.id, change)
  })

  app.delete<OfProject>('projects/:id', async ({ caller, params }, reply) => {
    await removeProject(platform, caller.account.id, params.id)
    return reply.code(204).send()
  })
}
