import type { WorkStep } from '../../contract/work/staff.ts'

import { parseOptions } from '../orders/file/progress.ts'
import { fileById } from '../platform/db/change-files.ts'
import type { FileRow, Job, Staff, WorkPart } from '../platform/db/schema.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobEnd, JobKind } from '../platform/queue/worker.ts'
import { holdMs, renewHold, takePart } from './claims.ts'
import { buildSheet, keptText } from './desk.ts'
import { partsOfFile } from './parts.ts'
import { enterSandboxStaff, sandboxStaff } from './sandbox-staff.ts'
import { submitPart } from './steps.ts'

/*
 * Simulated staff of the sandbox (decision 112): they claim, play and submit parts through the same functions as real
 * staff, on a time-lapse clock, so that an integrator sees a manual order go from 0 to 100 in a minute instead of three
 * days. Their state is in the claims; a process that dies loses nothing of it.
 */

/** Long recordings are processed at twenty times real time. */
const timeLapse = 20
const shortestMs = 40_000
/** Each step's share of the total time. */
const share: Readonly<Record<WorkStep, number>> = { type: 0.6, review: 0.25, check: 0.15 }
/** Concurrency limit: a step costs only a few row updates. */
const parallel = 20

/** Duration of a simulated step on a part or the whole, in whole milliseconds of the service's clock. */
export function sandboxStepMs(step: WorkStep, partMs: number, fileMs: number, speed: number): number {
  const wholeMs = Math.max(shortestMs, fileMs / timeLapse) / speed
  return Math.ceil(wholeMs * share[step] * Math.min(1, partMs / Math.max(1, fileMs)))
}

type Waiting = WorkPart & { step: WorkStep }

/** Continues a part held by simulated staff. @returns in how many milliseconds to check again; 0 if its step is done */
async function continuePart(platform: Platform, file: FileRow, part: Waiting): Promise<number> {
  const { db, clock, config } = platform
  const staff = sandboxStaff[part.step]
  const now = clock()
  const claimed = [part.id, part.claim] as const
  const ms = sandboxStepMs(part.step, part.end_ms - part.start_ms, file.duration_ms, config.typingPoolSpeed)
  const leftMs = part.claimed_at + ms - now
  const isDone = leftMs <= 0
  await renewHold(db, staff, claimed, isDone ? [[part.start_ms / 1_000, part.end_ms / 1_000]] : [], now)
  if (!isDone) return Math.min(leftMs, holdMs / 2)
  const { revision } = await keptText(db, part.id)
  await submitPart(platform, staff, claimed, { revision, ticked: buildSheet(parseOptions(file)).map(({ id }) => id) })
  return 0
}

/** @returns the delay before continuing with it, in milliseconds: none */
async function takeFirst({ db, clock }: Platform, staff: Staff, [part]: readonly Waiting[]): Promise<number> {
  await enterSandboxStaff(db)
  if (part !== undefined) await takePart(db, staff, { part: part.id }, clock())
  return 0
}

/** Each simulated worker continues with their part, or claims the next one of their step. */
async function work(platform: Platform, job: Job): Promise<JobEnd> {
  const { db, clock } = platform
  const file = await fileById(db, job.file_id)
  if (file === undefined || file.given_up === 1) return { end: 'done' }
  const parts = await partsOfFile(db, file.id)
  // Delivered, possibly by the sandbox's tools; anything still open is a re-review.
  if (file.progress_percent === 100 && (parts[0]?.reached ?? 0) < 3) return { end: 'done' }
  const waiting = parts.filter((part): part is Waiting => part.step !== null)
  if (waiting.length === 0) return { end: 'done' }
  let nextMs = holdMs
  for (const [step, steps] of Map.groupBy(waiting, ({ step }) => step)) {
    const staff = sandboxStaff[step]
    const held = steps.find(({ staff_id, held_until }) => staff_id === staff.id && held_until > clock())
    if (held !== undefined) nextMs = Math.min(nextMs, await continuePart(platform, file, held))
    else nextMs = await takeFirst(platform, staff, steps)
  }
  return { end: 'again', afterMs: nextMs }
}

/** The job kind `type`: simulated staff type, review and check an order of the sandbox. */
export function sandboxWorkJob(platform: Platform): JobKind {
  return {
    parallel,
    run: (job) => work(platform, job),
    // Only the database can have failed here; the order stays as it is, and eventually counts as late.
    gaveUp: async () => undefined,
  }
}
