import type { FastifyInstance } from 'fastify'
import { labelChange, labelledFiles } from '../../../contract/account/labels.ts'
import { changeLabels, restoreLabels } from '../../orders/labels/change-labels.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBody } from '../http/read-request.ts'

/** Fits ten thousand files with their labels. */
const bodyLimit = 32 * 1_024 * 1_024

/** `labels`: export and import of names, notes and tags of many files at once. */
export async function labelRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.patch('labels', { bodyLimit }, async (request) => ({
    before: await changeLabels(platform, request.caller.account.id, readBody(labelChange, request)),
  }))
  app.put('labels', { bodyLimit }, async (request) => ({
    before: await restoreLabels(platform, request.caller.account.id, readBody(labelledFiles, request)),
  }))
}
