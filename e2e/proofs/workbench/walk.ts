import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { commonActs, deskActs } from './desk-acts.ts'
import { compare } from './doors.ts'
import { orderActs } from './order-acts.ts'
import { World } from './world.ts'

export type WorkWalk = { steps: number; diary: readonly string[]; fault: string | null }

/**
 * Staff, managers and a customer act at random, and after each act every door is compared with the model.
 * @param postgres null: on SQLite
 */
export async function walkWorkbench(postgres: PostgresConfig | null, seed: number, acts: number): Promise<WorkWalk> {
  const world = await World.open(postgres, seed)
  const { diary, random } = world
  let fault: string | null = null
  try {
    diary.push(`an order, ${(await world.order(60)).id}`)
    while (diary.length < acts) {
      const kinds = random.next() < 0.12 ? orderActs : random.next() < 0.6 ? commonActs : deskActs
      const line = await random.any(kinds)(world)
      if (line === null) continue
      diary.push(line)
      await compare(world)
    }
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  await world.kit.close()
  return { steps: diary.length, diary, fault }
}
