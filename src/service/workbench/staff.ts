import { randomBytes } from 'node:crypto'
import { type StaffRole, staffKeyPrefix } from '../../contract/work/staff.ts'
import { hashKey, keyHashOfHeader } from '../platform/db/key-hash.ts'
import type { Db } from '../platform/db/open.ts'
import type { Staff } from '../platform/db/schema.ts'
import { mintId } from '../platform/ids.ts'

/** Adds a staff member. @returns the key, which is shown only once */
export async function addStaff(
  db: Db,
  { name, role }: { name: string; role: StaffRole },
  now: number,
): Promise<{ id: string; key: string }> {
  const key = staffKeyPrefix + randomBytes(20).toString('hex')
  const id = mintId('s')
  const values = { id, name, role, hash: hashKey(key), last_four: key.slice(-4), created_at: now }
  await db.insertInto('staff').values(values).execute()
  return { id, key }
}

/**
 * Revokes a key: its requests get 401 from now on. Parts held with it become free, keeping their text.
 * @returns false if the ID is unknown or already revoked
 */
export async function revokeStaff(db: Db, id: string, now: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const revoked = trx
      .updateTable('staff')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
    const { numUpdatedRows } = await revoked.executeTakeFirst()
    await trx
      .updateTable('work_parts')
      .set({ held_until: now })
      .where('staff_id', '=', id)
      .where('held_until', '>', now)
      .execute()
    await trx.updateTable('work_parts').set({ assigned_to: null }).where('assigned_to', '=', id).execute()
    return numUpdatedRows > 0n
  })
}

/** Authenticates a staff member by `Authorization` header; undefined if it matches none. */
export async function authenticateStaff(db: Db, header: string | undefined): Promise<Staff | undefined> {
  const hash = header === undefined ? null : keyHashOfHeader(header)
  if (hash === null) return undefined
  return await db
    .selectFrom('staff')
    .selectAll()
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}
