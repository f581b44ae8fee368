import type { FastifyInstance } from 'fastify'
import { movedProgress, sampleDelay, sampleFile, sampleWebhook } from '../../../contract/account/sandbox.ts'
import { simulateFailure } from '../../accounts/webhooks/endpoint.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBody } from '../http/read-request.ts'
import { createSample, createTalk, moveDelay, moveProgress } from './sample-files.ts'

type WithId = { Params: { id: string } }

/** Creates the sandbox's own files. */
function sampleRoutes(app: FastifyInstance, platform: Platform): void {
  app.post('tools/files', async (request, reply) => {
    const sample = readBody(sampleFile, request)
    reply.code(201)
    return await createSample(platform, request.caller.account, sample)
  })
  app.post('tools/talk', async (request, reply) => {
    reply.code(201)
    return await createTalk(platform, request.caller.account)
  })
}

/** `tools`, sandbox only: brings about every state of the API, for developers of API clients. */
export async function toolRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  sampleRoutes(app, platform)
  app.post<WithId>('tools/files/:id/progress', async (request, reply) => {
    const file = await ownFile(platform, request.caller.account.id, request.params.id)
    await moveProgress(platform, file, readBody(movedProgress, request).progress_percent)
    return reply.code(204).send()
  })

  app.post<WithId>('tools/files/:id/delay', async (request, reply) => {
    const file = await ownFile(platform, request.caller.account.id, request.params.id)
    await moveDelay(platform, file.id, readBody(sampleDelay, request).delay_reason)
    return reply.code(204).send()
  })

  app.post('tools/webhook', async (request, reply) => {
    await simulateFailure(platform, request.caller.account.id, readBody(sampleWebhook, request).simulate_failure)
    return reply.code(204).send()
  })
}
