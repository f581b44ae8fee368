import { type StaffRole, stepsOfRole, type WorkStep } from '../../contract/work/staff.ts'
import type { Db } from '../platform/db/open.ts'
import type { Staff } from '../platform/db/schema.ts'

/** Epoch 0: simulated staff have no key and count as revoked, so that they appear in no list of real staff. */
const never = 0

function made(id: string, name: string, role: StaffRole): Staff {
  return { id, name, role, hash: id, last_four: '', created_at: never, revoked_at: never }
}

/** The sandbox's simulated staff, by step: they have no key, and see nothing of live orders. */
export const sandboxStaff: Readonly<Record<WorkStep, Staff>> = {
  type: made('sandbox-typist', 'Sandbox typist', 'typist'),
  review: made('sandbox-reviewer', 'Sandbox reviewer', 'reviewer'),
  check: made('sandbox-checker', 'Sandbox checker', 'reviewer'),
}

export const isSandboxStaff = ({ id }: Pick<Staff, 'id'>): boolean => sandboxStaffIds.includes(id)

/** Their ids. */
export const sandboxStaffIds: readonly string[] = stepsOfRole.reviewer.map((step) => sandboxStaff[step].id)

/** Inserts them, so that `work_claims` can reference them. */
export async function enterSandboxStaff(db: Db): Promise<void> {
  await db
    .insertInto('staff')
    .values(Object.values(sandboxStaff))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
