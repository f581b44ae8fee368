import type { FastifyInstance } from 'fastify'
import { assignment, workDelay, workRefund } from '../../../contract/work/managers.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { assignPart, delayFile, listStaff, refundFile } from '../../workbench/manage.ts'
import { listManagedFiles, listManagedParts } from '../../workbench/managed-files.ts'
import { readBody } from '../http/read-request.ts'
import type { OfPart } from './claimed-routes.ts'

/** Routes for managers only. */
export async function managerRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock, config } = platform
  app.addHook('onRequest', async ({ staff }) => {
    if (staff.role !== 'manager') throw new ServiceError(403, 'Only managers see this.')
  })
  app.get('files', () => listManagedFiles(db, clock()))
  app.get('staff', async () => ({ staff: await listStaff(db, config.workPay, clock()) }))
  app.get<OfPart>('files/:id', async ({ params }) => ({ parts: await listManagedParts(db, params.id, clock()) }))

  app.post<OfPart>('parts/:id/assign', async (request, reply) => {
    await assignPart(db, request.params.id, readBody(assignment, request).staff, clock())
    return reply.code(204).send()
  })

  app.post<OfPart>('files/:id/delay', async (request, reply) => {
    const { reason, until } = readBody(workDelay, request)
    await delayFile(platform, request.params.id, reason, until == null ? null : Date.parse(until))
    return reply.code(204).send()
  })

  app.post<OfPart>('files/:id/refund', async (request, reply) => {
    await refundFile(platform, request.params.id, readBody(workRefund, request).reason)
    return reply.code(204).send()
  })
}
