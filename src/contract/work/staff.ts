import * as z from 'zod/mini'

/*
 * The operator's staff, who type and check manual orders at `/work` (decision 105). Keys of staff open nothing of `/v1/`
 * and `/account/`, and those of accounts nothing here. Same Basic header and `{"error"}` body as the account interface.
 */

/** Where the work interface lives below the service's address. */
export const workBasePath = '/work/api/'

/** The text that every key of staff begins with. */
export const staffKeyPrefix = 'parley_staff_'

/** A typist types; a reviewer also reviews what others typed and checks whole files; a manager may do everything. */
export const staffRoles = ['typist', 'reviewer', 'manager'] as const
export type StaffRole = (typeof staffRoles)[number]

/** What is done with a part: typed, then reviewed by somebody else; then the whole file is checked. */
export const workSteps = ['type', 'review', 'check'] as const
export type WorkStep = (typeof workSteps)[number]

/** Which steps each role may take. */
export const stepsOfRole: Readonly<Record<StaffRole, readonly WorkStep[]>> = {
  typist: ['type'],
  reviewer: workSteps,
  manager: workSteps,
}

/** Answer of `GET ''`, the base path itself: who signed in, and by which rules parts are held. */
export const staffOverview = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  key_last_four: z.string(),
  /** a hold ends so long after it was taken or renewed last; renew it every `renew_seconds` */
  hold_seconds: z.number(),
  renew_seconds: z.number(),
  /** and so long after it was taken, however often it is renewed */
  longest_hold_seconds: z.number(),
  /** the share of a part's sound that must have been heard, or a reason is asked for, 0 to 1 */
  heard_share: z.number(),
  /** ids of the parts that are held by whoever asks, with the number of the claim: to continue after the page was closed */
  held: z.array(z.object({ part: z.string(), claim: z.int() })),
})
export type StaffOverview = z.infer<typeof staffOverview>
