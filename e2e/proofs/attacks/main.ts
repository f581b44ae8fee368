import { parseArgs } from 'node:util'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { startTestService, type TestService, testStart } from '../../../src/service/testing/test-service.ts'
import { addStaff } from '../../../src/service/workbench/staff.ts'
import { type Attack, attackOperation, type Described, type Owned } from './matrix.ts'

/*
 * `npm run proofs -- attacks`: every parameter and every field of every body that /openapi.json describes, with every odd
 * value, on both databases. No answer may be a 5xx, take ten seconds, refuse without words or show the insides.
 * `--only TEXT` attacks operations whose path contains it.
 */

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
/** On a busy machine; none should take a second. */
const longestMs = 10_000
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

async function attackService(name: string, service: TestService): Promise<number> {
  const { paths } = (await (await fetch(`${service.address}/openapi.json`)).json()) as Described
  const staff = await addStaff(service.platform.db, { name: 'Ann', role: 'manager' }, testStart)
  let [sent, failed] = [0, 0]
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.includes(values.only)) continue
    const isWork = path.startsWith('/work')
    for (const [method, operation] of Object.entries(methods)) {
      const { key, owned } = await openAccount(service)
      const attacks = attackOperation([path, method, operation], isWork ? staff.key : key, owned)
      const send = async () => {
        for (const attack of attacks) {
          const fault = await judge(service.address + (isWork ? '' : '/sandbox'), attack)
          sent += 1
          if (fault === null) continue
          failed += 1
          console.log(`${name}: ${method} ${path}, ${attack.odd}: ${fault}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, send))
    }
  }
  for (const line of service.loggedErrors.splice(0)) {
    failed += 1
    console.log(`${name} logged: ${line.slice(0, 500)}`)
  }
  console.log(`attacks  ${name}: ${sent} odd requests, ${failed} failures`)
  if (sent === 0) throw new Error(`No operation has "${values.only}" in its path.`)
  return failed
}

/** Rate limits are another matter: this clock leaves each request a second after the one before. */
function leapingClock(): () => number {
  let ms = 0
  return () => (ms += 1_000)
}

const cluster = hasPostgres() ? startPostgres() : null
if (cluster === null) console.log('PostgreSQL is not installed: left out.')
try {
  for (const name of cluster === null ? ['SQLite'] : ['SQLite', 'PostgreSQL']) {
    const postgres = name === 'SQLite' || cluster === null ? null : await openSchema(cluster.url)
    const service = await startTestService({ postgres, role: 'api' }, undefined, leapingClock())
    try {
      if ((await attackService(name, service)) > 0) process.exitCode = 1
    } finally {
      await service.close()
    }
  }
} finally {
  cluster?.remove()
}
