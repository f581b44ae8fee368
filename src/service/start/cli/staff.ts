import { type StaffRole, staffRoles } from '../../../contract/work/staff.ts'
import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'
import { StartError } from '../../platform/start-error.ts'
import { sandboxStaffIds } from '../../workbench/sandbox-staff.ts'
import { addStaff, revokeStaff } from '../../workbench/staff.ts'

/**
 * `staff add NAME --role ROLE`: adds a staff member, and prints their key and where to sign in with it.
 * @param address of the service
 */
export async function staffAdd(db: Db, name: string, role: string | undefined, address: string): Promise<object> {
  if (!/^\S.{0,99}$/.test(name)) throw new StartError('A name has 1 to 100 characters.')
  if (!staffRoles.includes(role as StaffRole)) throw new StartError(`--role is one of ${staffRoles.join(', ')}.`)
  const { id, key } = await addStaff(db, { name, role: role as StaffRole }, Date.now())
  return { staff: id, name, role, key, sign_in: `${address}/work` }
}

/** `staff list`: all staff, including revoked; without keys. */
export async function staffList(db: Db): Promise<object[]> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'last_four', 'created_at', 'revoked_at'])
    .where('id', 'not in', sandboxStaffIds)
    .orderBy('created_at')
    .execute()
  return rows.map(({ created_at, revoked_at, ...row }) => ({
    ...row,
    created: iso(created_at),
    revoked: iso(revoked_at),
  }))
}

/** `staff revoke ID`: their requests get 401 from now on, and their parts are freed. */
export async function staffRevoke(db: Db, id: string): Promise<object> {
  if (await revokeStaff(db, id, Date.now())) return { revoked: true }
  throw new StartError('Nobody of the staff has this id, or it has already been revoked.')
}
