import { existsSync } from 'node:fs'
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, homedir, release, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { readVersion } from '../platform/command-line.ts'
import { type Config, defaultConfig } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { explainError, StartError } from '../platform/start-error.ts'
import { runTar } from './backup.ts'
import { doctor } from './doctor.ts'
import { openQuery } from './doctor-work.ts'

/*
 * What somebody who helps needs to know of an installation, and nothing of its customers: counts, versions, which settings are
 * set. Texts of people are never read for it. A test plants names, keys and words everywhere, and searches.
 */

/** Counts by words that are the program's own. */
const counts: Readonly<Record<string, string>> = {
  files: `select environment, case when progress_percent >= 100 then 'ready' when given_up = 1 then 'given up'
    when delay_reason is not null then 'delayed' else 'in progress' end as state, count(*) as n from files group by 1, 2`,
  jobs: 'select kind, state, count(*) as n, max(attempts) as most_attempts from jobs group by 1, 2',
  deliveries: 'select state, count(*) as n from deliveries group by 1',
  ledger: 'select kind, status, count(*) as n from ledger group by 1, 2',
  work: 'select step, count(*) as n from work_parts group by 1',
  migrations: 'select name, applied_at from migrations order by name',
}
const tablesOfSqlite = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
const tablesOfPostgres = 'select tablename as name from pg_tables where schemaname = current_schema() order by 1'

/** Findings whose words are ours alone; of others only whether they are well, as they cite orders, hosts or people. */
const plainFindings = [
  'node',
  'ffmpeg',
  'ffprobe',
  'prlimit',
  'disk',
  'search',
  'backup',
  'certificate',
  'staff',
  'unit',
]

/** Numbers and switches as they are; of a text only that it is set. */
function describeSettings(config: Config): object {
  const isPlain = (value: unknown) => value === null || typeof value === 'number' || typeof value === 'boolean'
  const words = ['recognizer', 'role', 'logLevel', 'workCheck']
  const described = Object.entries(config).map(([name, value]) => {
    if (isPlain(value) || words.includes(name)) return [name, value]
    const isDefault = JSON.stringify(value) === JSON.stringify(defaultConfig[name as keyof Config])
    return [name, isDefault ? 'default' : 'set']
  })
  return Object.fromEntries(described)
}

async function countAll(config: Config): Promise<object> {
  if (config.postgres === null && !existsSync(dataPaths(config.dataDir).database)) return { database: 'none' }
  const { query, close } = await openQuery(config)
  try {
    const found: Record<string, unknown> = { database: config.postgres === null ? 'embedded' : 'PostgreSQL' }
    for (const [name, text] of Object.entries(counts)) found[name] = await query(text)
    const tables: Record<string, number> = {}
    for (const { name } of await query(config.postgres === null ? tablesOfSqlite : tablesOfPostgres)) {
      const [{ n } = {}] = await query(`select count(*) as n from "${name}"`)
      tables[String(name)] = Number(n)
    }
    return { ...found, tables }
  } catch (error) {
    return { database: `cannot be read: ${error instanceof Error ? error.name : 'error'}` }
  } finally {
    await close()
  }
}

/** Metrics of the running service; null if it serves none. Their labels are words of the program. */
async function readMetrics({ metricsHost, metricsPort }: Config): Promise<string | null> {
  if (metricsPort === null) return null
  const answer = await fetch(`http://${metricsHost}:${metricsPort}/metrics`, {
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return answer?.ok ? await answer.text() : null
}

/** Where the user of the service may write, whatever directory the command is run in. */
const defaultFile = () => join(tmpdir(), `parley-support-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`)

/**
 * `support-bundle [FILE]`: writes a tar.gz for whoever helps: versions, settings without their texts, findings, counts,
 * metrics. It holds no names, keys, addresses or words of people.
 * @throws StartError if the file exists or cannot be written
 */
export async function supportBundle(config: Config, file = defaultFile()): Promise<object> {
  const target = resolve(file)
  if (existsSync(target)) throw new StartError(`${file} already exists. Choose another file name.`)
  const directory = await mkdtemp(join(tmpdir(), 'parley-support-'))
  try {
    const hide = (text: string) => text.replaceAll(config.dataDir, 'DATA_DIR').replaceAll(homedir(), 'HOME')
    const findings = (await doctor(config)).map(({ check, ok, says }) =>
      plainFindings.includes(check) ? { check, ok, says: hide(says) } : { check, ok },
    )
    const system = { platform: process.platform, arch: process.arch, kernel: release(), node: process.version }
    const machine = { cores: availableParallelism(), memory_bytes: totalmem() }
    const documents: Record<string, unknown> = {
      'system.json': { version: readVersion(), made_at: new Date().toISOString(), ...system, ...machine },
      'settings.json': describeSettings(config),
      'doctor.json': findings,
      'counts.json': await countAll(config),
      'metrics.txt': await readMetrics(config),
    }
    const names = Object.keys(documents).filter((name) => documents[name] !== null)
    for (const name of names) {
      const content = documents[name]
      await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    }
    const opened = await open(`${target}.part`, 'w', 0o600).catch((cause: unknown) => {
      throw new StartError(`${file} cannot be written: ${explainError(cause)}.`, { cause })
    })
    await opened.close()
    await runTar(['-czf', `${target}.part`, '-C', directory, ...names], target)
    await rename(`${target}.part`, target)
    return { file: target, holds: names, also: 'the log, which has no names either: journalctl -u parley --since -2d' }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
