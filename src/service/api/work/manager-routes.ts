import {
  assignment,
  decision,
  managedFileParts,
  managedFiles,
  managedText,
  payMonth,
  staffList,
  workDelay,
  workRefund,
} from '../../../contract/work/managers.ts'
import { assignPart, delayFile, listStaff, refundFile } from '../../workbench/manage.ts'
import { listManagedFiles, listManagedParts } from '../../workbench/managed-files.ts'
import { readManagedText } from '../../workbench/managed-text.ts'
import { readPayMonth } from '../../workbench/pay-month.ts'
import { decideClaim, noOddStep } from '../../workbench/reopen.ts'
import { nothing } from '../http/operation.ts'
import { monthQuery } from '../http/read-request.ts'
import { isClaimNumber, route } from './work-route.ts'

const refused = { 403: 'Only for managers.' }

/** Routes for managers only. */
export const managerRoutes = [
  route(
    'get /files',
    'Managers: unfinished orders, and what waits',
    { 200: managedFiles, ...refused },
    ({ platform: { db, clock } }) => listManagedFiles(db, clock()),
  ),
  route(
    'get /files/{id}',
    'Managers: the parts of an order, with their history',
    { 200: managedFileParts, ...refused },
    async ({ platform: { db, clock, config }, params }) => ({
      parts: await listManagedParts(db, params.id, config.workPay, clock()),
    }),
  ),
  route(
    'get /parts/{id}/text',
    'Managers: the text of a part, without taking it',
    { 200: managedText, ...refused },
    ({ platform: { db }, params }) => readManagedText(db, params.id),
  ),
  route(
    'post /files/{id}/delay',
    'Managers: put an order off, with a reason',
    { body: workDelay, 204: nothing, ...refused, 409: 'It is finished.' },
    ({ platform, params, body: { reason, until } }) =>
      delayFile(platform, params.id, reason, until == null ? null : Date.parse(until)),
  ),
  route(
    'post /files/{id}/refund',
    'Managers: give an order up and refund it',
    { body: workRefund, 204: nothing, ...refused, 409: 'It is delivered.' },
    ({ platform, params, body }) => refundFile(platform, params.id, body.reason),
  ),
  route(
    'post /parts/{id}/assign',
    'Managers: give a part to somebody alone, or to anybody',
    { body: assignment, 204: nothing, ...refused, 409: 'It is finished, or they may not take it.' },
    ({ platform: { db, clock }, params, body }) => assignPart(db, params.id, body.staff, clock()),
  ),
  route(
    'post /parts/{id}/claims/{claim}/decide',
    'Managers: accept an odd step, or have it done once more',
    { body: decision, 204: nothing, ...refused, 409: 'It is decided already.' },
    ({ platform, staff, params, body }) => {
      if (!isClaimNumber(params.claim)) throw noOddStep()
      return decideClaim(platform, staff, params.id, Number(params.claim), body.accepted)
    },
  ),
  route(
    'get /pay',
    'Managers: what the staff did and earned in a month',
    { query: { month: monthQuery('`2026-11`; else the present one.') }, 200: payMonth, ...refused },
    ({ platform: { db, clock, config }, query: { month } }) =>
      readPayMonth(db, config.workPay, month ?? new Date(clock()).toISOString().slice(0, 7)),
  ),
  route(
    'get /staff',
    'Managers: the staff, and what they did',
    { 200: staffList, ...refused },
    async ({ platform: { db, clock, config } }) => ({ staff: await listStaff(db, config.workPay, clock()) }),
  ),
]
