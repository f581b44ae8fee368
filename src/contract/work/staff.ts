import * as z from 'zod/mini'

/*
 * The operator's staff, who type and check manual orders at `/work` (decision 105). Staff keys grant no access to
 * `/v1/` and `/account/`, and account keys none here. Same Basic header and `{"error"}` body as the account interface.
 */

/** Base path of the work interface below the service's address. */
export const workBasePath = '/work/api/'

/** The prefix of every staff key. */
export const staffKeyPrefix = 'parley_staff_'

/** A typist types; a reviewer also reviews what others typed and checks whole files; a manager may do everything. */
export const staffRoles = ['typist', 'reviewer', 'manager'] as const
export type StaffRole = (typeof staffRoles)[number]

/** Steps of manual work: a part is typed, then reviewed by somebody else; then the whole file is checked. */
export const workSteps = ['type', 'review', 'check'] as const
export type WorkStep = (typeof workSteps)[number]

/** Which steps each role may take. */
export const stepsOfRole: Readonly<Record<StaffRole, readonly WorkStep[]>> = {
  typist: ['type'],
  reviewer: workSteps,
  manager: workSteps,
}

/** Response of `GET ''`, the base path itself: who signed in, and the rules for holding parts. */
export const staffOverview = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  key_last_four: z.string(),
  /** a hold expires this long after it was taken or last renewed; renew it every `renew_seconds` */
  hold_seconds: z.number(),
  renew_seconds: z.number(),
  /** and this long after it was taken, however often it is renewed */
  longest_hold_seconds: z.number(),
  /** share of a part's audio to play before submitting without a reason, 0 to 1 */
  heard_share: z.number(),
  /** ids of the parts that the caller holds, with their claim numbers: to continue after the page was closed */
  held: z.array(z.object({ part: z.string(), claim: z.int() })),
})
export type StaffOverview = z.infer<typeof staffOverview>
