import { accountClient } from '../../../src/service/testing/account-client.ts'
import { type TestService, testStart } from '../../../src/service/testing/test-service.ts'
import { addStaff } from '../../../src/service/workbench/staff.ts'
import { inLanes, Tally } from '../torture/rounds.ts'
import { type Attack, attackOperation, type Described, type Owned } from './matrix.ts'

/** On a busy machine; the slowest, a sample with its sound, takes a second on a quiet one. */
const longestMs = 30_000
const atOnce = 4

/** What is wrong with an answer, or null. */
async function judge(address: string, { odd: _, path, ...init }: Attack): Promise<string | null> {
  try {
    const answer = await fetch(address + path, { ...init, signal: AbortSignal.timeout(longestMs) })
    const text = await answer.text()
    if (answer.status >= 500) return `${answer.status} ${text.slice(0, 200)}`
    if (answer.status < 400 || init.method === 'HEAD') return null
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error !== 'string' || error === '') return `${answer.status} without words: ${text.slice(0, 200)}`
    return /node_modules|\.ts:\d|SQLITE|syntax error/.test(error) ? `shows its insides: ${error.slice(0, 200)}` : null
  } catch (error) {
    return String(error)
  }
}

/** An account with one of everything, so that odd values get past the 404. */
async function openAccount(service: TestService): Promise<{ key: string; owned: Owned }> {
  const { key } = await service.account()
  const client = accountClient(service.address, key)
  const file = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 10, progress_percent: 100 })
  const project = await client.read<{ id: string }>('POST', 'projects', { name: 'Attacked' })
  const owned = { id: file.id, file_id: file.id, ids: file.id, file: file.id, project: project.id }
  return { key, owned: { ...owned, ext: 'json', format: 'txt', revision: '1' } }
}

/** Sends every parameter and field of the operations whose path contains `only` with every odd value. */
export async function attackFields(service: TestService, only: string): Promise<Tally> {
  const tally = new Tally('odd values')
  const { paths } = (await (await fetch(`${service.address}/openapi.json`)).json()) as Described
  const staff = await addStaff(service.platform.db, { name: 'Ann', role: 'manager' }, testStart)
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.includes(only)) continue
    const isWork = path.startsWith('/work')
    for (const [method, operation] of Object.entries(methods)) {
      const { key, owned } = await openAccount(service)
      const attacks = [...attackOperation([path, method, operation], isWork ? staff.key : key, owned)]
      await inLanes(attacks.length, atOnce, async (_, index) => {
        const attack = attacks[index] as Attack
        const fault = await judge(service.address + (isWork ? '' : '/sandbox'), attack)
        tally.count(fault === null, `${method} ${path}, ${attack.odd}: ${fault}`)
      })
    }
  }
  return tally
}
