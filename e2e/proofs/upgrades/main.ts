import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { unzipSync } from 'fflate'
import type { AccountExport } from '../../../src/contract/account/export.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { lacking } from './lacking.ts'
import { type Kept, quiet, upgradeUnderLoad } from './rounds.ts'

/*
 * `npm run proofs -- upgrades [--from REF]`: a service of REF (by default the commit that made version 1.0.0) gets data of
 * each kind through its interface and exports the account. The present program then opens the same data, on both
 * databases, and its export must have all that the older one's has: every document, field and line. `--rounds 20`: as
 * many upgrades, and downgrades by a restore, of `--files 10000` while a customer asks instead.
 */

const root = join(import.meta.dirname, '../../..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const released = () => git('log', '--format=%h', '-S"version": "1.0.0"', '--', 'package.json').split('\n').at(-1) ?? ''
const { values } = parseArgs({
  options: { from: { type: 'string' }, rounds: { type: 'string' }, files: { type: 'string', default: '10000' } },
})
const from = values.from ?? released()
const files = 12

type Documents = Record<string, Uint8Array>

/** The first sandbox account's key, which the first start prints. */
const keyOf = ({ output }: ServiceProcess) => /parley_test_[0-9a-f]+/.exec(output)?.[0] ?? ''

/** Data of each kind, by requests that every released version answers. */
async function fill(service: ServiceProcess, key: string): Promise<void> {
  const client = accountClient(service.url, key)
  const { id: project } = await client.read<{ id: string }>('POST', 'projects', { name: 'Board “2026”' })
  await client.read('POST', 'vocabulary', { entries: [{ written: 'Parley', heard: ['parlay'], preset: null }] })
  await client.read('PATCH', 'settings', { billing: 'Ann Example\nStreet 1' })
  await client.read('POST', 'keys', { name: 'Second' })
  for (let made = 0; made < files; made += 1) {
    const progress_percent = made % 4 === 3 ? 40 : 100
    const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 60 + made, progress_percent })
    const labels = { name: `Talk ${made}`, note: 'ñ “noted”', add_tags: [`tag ${made % 3}`] }
    await client.read('PATCH', 'labels', { ids: [id], ...labels })
    if (made % 2 === 0) await client.read('PUT', 'projects/files', { files: [{ id, project }] })
    if (made === files - 1) await client.ask('DELETE', `../v1/file/${id}`)
  }
}

async function exportAll(service: ServiceProcess, key: string): Promise<Documents> {
  const client = accountClient(service.url, key)
  const { id } = await client.read<AccountExport>('POST', 'exports', { recordings: true })
  for (;;) {
    const { exports } = await client.read<{ exports: AccountExport[] }>('GET', 'exports')
    const made = exports.find((one) => one.id === id)
    if (made?.state === 'failed') throw new Error(made.error ?? 'The export failed.')
    if (made?.url) return unzipSync(await (await fetch(new URL(made.url, service.url))).bytes())
    await wait(100)
  }
}

function compare(then: Documents, now: Documents): string[] {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
  return Object.entries(then).flatMap(([name, bytes]) => {
    const other = now[name]
    if (other === undefined) return [`${name} is not there`]
    // Words about the archive, and how a document is laid out, may change.
    if (/^README|^schemas\/|\.docx$/.test(name)) return []
    if (name.endsWith('.json')) return lacking(JSON.parse(text(bytes)), JSON.parse(text(other)), name)
    if (name.endsWith('.jsonl')) {
      const lines = text(other).split('\n').filter(Boolean)
      const rows = lines.map((line) => JSON.parse(line) as unknown)
      // Making the second export is counted on the entry of the first.
      const missing = text(bytes)
        .split('\n')
        .filter((line) => line !== '' && !line.includes('"detail":"export'))
      return missing
        .filter((line) => !rows.some((row) => lacking(JSON.parse(line), row, '').length === 0))
        .map((line) => `${name}: ${line} is not there`)
    }
    return Buffer.compare(bytes, other) === 0 ? [] : [`${name} has other bytes`]
  })
}

async function upgrade(database: string, older: string, environment: Record<string, string>): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
  const env = { ...quiet, ...environment }
  const migrate = (program: string) =>
    environment.DATABASE_URL !== undefined &&
    execFileSync(process.execPath, [program, 'migrate', '--data', dataDir], { env: { ...process.env, ...env } })
  let service: ServiceProcess | null = null
  try {
    migrate(older)
    service = await ServiceProcess.start(env, older, dataDir)
    const key = keyOf(service)
    await fill(service, key)
    const then = await exportAll(service, key)
    await service.stop()
    migrate(join(root, 'src/service/parley.ts'))
    service = await ServiceProcess.start(env, undefined, dataDir)
    const now = await exportAll(service, key)
    console.log(`${database}: ${Object.keys(then).length} documents of ${from} compared`)
    return compare(then, now).map((difference) => `${database}: ${difference}`)
  } finally {
    await service?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const tree = mkdtempSync(join(tmpdir(), 'parley-released-'))
const differences: string[] = []
try {
  git('worktree', 'add', '--detach', '--force', tree, from)
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const older = join(tree, 'src/service/parley.ts')
  const many = (kept: Kept) => upgradeUnderLoad(tree, kept, Number(values.rounds), Number(values.files))
  const isMany = values.rounds !== undefined
  const embedded = isMany ? many({ environment: {}, schema: null }) : upgrade('embedded', older, {})
  differences.push(...(await embedded))
  if (hasPostgres()) {
    const cluster = startPostgres()
    try {
      const { url } = await openSchema(cluster.url, false)
      const environment = { DATABASE_URL: url }
      const name = /search_path%3D(\w+)/.exec(url)?.[1] ?? ''
      const onPostgres = isMany
        ? many({ environment, schema: { cluster: cluster.url, name } })
        : upgrade('PostgreSQL', older, environment)
      differences.push(...(await onPostgres))
    } finally {
      cluster.remove()
    }
  } else console.log('PostgreSQL is not installed: not tried')
} finally {
  git('worktree', 'remove', '--force', tree)
}
for (const difference of differences) console.error(difference)
console.log(`${differences.length} differences`)
process.exitCode = differences.length === 0 ? 0 : 1
