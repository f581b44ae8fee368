import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { pino } from 'pino'
import { commandLine } from '../platform/command-line.ts'
import type { Config } from '../platform/config.ts'
import { dataPaths, findScratchDir, isServing } from '../platform/data-directory.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'
import { explainError } from '../platform/start-error.ts'
import { createEngineChoice } from '../recognition/choose-engine.ts'
import { explainSilence, readMeasurement } from '../recognition/measure/stored-measurement.ts'
import { checkDatabase } from './doctor-database.ts'
import type { Finding } from './doctor-findings.ts'
import { checkPages, checkSettings, checkUnits } from './doctor-installation.ts'
import { checkStripe } from './doctor-stripe.ts'
import { checkBackup, checkCertificate } from './doctor-upkeep.ts'
import { checkWork } from './doctor-work.ts'

/** Less free space than this is a problem: a recording of a few hours fills it. */
const wantedFreeBytes = 2_000_000_000
const run = promisify(execFile)

async function tool(name: Finding['check'], flag: string, remedy: string): Promise<Finding> {
  try {
    const { stdout, stderr } = await run(name, [flag], { timeout: 10_000 })
    return { check: name, ok: true, says: (stdout || stderr).split('\n', 1)[0] ?? '' }
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { check: name, ok: false, says: absent ? `Not installed. ${remedy}` : explainError(error) }
  }
}

function node(): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return { check: 'node', ok: major >= 24, says: `${process.version}, SQLite ${process.versions.sqlite}` }
}

async function engine(config: Config): Promise<Finding> {
  const choice = createEngineChoice(config, pino({ level: 'silent' }))
  try {
    const { chosen, says } = await choice.explain()
    if (chosen.engine === null) return { check: 'recognizer', ok: false, says }
    const measured = readMeasurement(config, chosen.name)
    const worth =
      measured === null
        ? `${chosen.name} was not measured here yet: model measure.`
        : `${chosen.name} got ${measured.wrong_percent} words in 100 wrong when it was measured, ${measured.measured_at.slice(0, 10)}. ${explainSilence(measured) ?? ''}`.trim()
    return { check: 'recognizer', ok: true, says: `${says} ${worth}` }
  } finally {
    await choice.close()
  }
}

async function disk(config: Config): Promise<Finding> {
  const path = config.s3 === null ? config.dataDir : findScratchDir(config)
  try {
    const { bavail, bsize, blocks } = await statfs(existsSync(path) ? path : '.')
    const free = bavail * bsize
    const says = `${(free / 1e9).toFixed(1)} GB of ${((blocks * bsize) / 1e9).toFixed(1)} GB free`
    return { check: 'disk', ok: free >= wantedFreeBytes, says }
  } catch (error) {
    return { check: 'disk', ok: false, says: explainError(error) }
  }
}

/** Checks that the bucket is readable and writable, and belongs to this database. */
async function bucket({ dataDir, postgres, s3 }: Config): Promise<Finding[]> {
  if (s3 === null || postgres === null) return []
  const check = 'bucket'
  try {
    const [{ openS3 }, { openMigrated }, { queryMark }] = await Promise.all([
      import('../platform/media/s3/open-s3.ts'),
      import('../platform/db/postgres/open-postgres.ts'),
      import('../platform/db/postgres/recordings-mark.ts'),
    ])
    const { place } = await openS3(s3, dataPaths(dataDir).scratch)
    const mark = await place.readMark()
    const db = await openMigrated(postgres)
    const known = await queryMark(db).finally(() => db.destroy())
    if (known !== mark) return [{ check, ok: false, says: `${place.name} is not the one of the database` }]
    const says = known === null ? 'the first start takes it' : 'it is the one of the database'
    return [{ check, ok: true, says: `${place.name} can be read and written; ${says}` }]
  } catch (error) {
    return [{ check, ok: false, says: explainError(error) }]
  }
}

/** Checks the search index. An absent or damaged one is no loss. */
async function searchIndex({ dataDir, postgres }: Config): Promise<Finding> {
  const check = 'search'
  try {
    const read = postgres === null ? embeddedIndex(dataDir) : await sharedIndex(postgres)
    return {
      check,
      ok: true,
      says: read === null ? 'No index yet; the service makes it.' : `${read} files are indexed`,
    }
  } catch (error) {
    const remedy = 'Delete search.db while no service runs; it is made anew.'
    return {
      check,
      ok: false,
      says: postgres === null ? `Damaged: ${explainError(error)}. ${remedy}` : explainError(error),
    }
  }
}

/** @returns how many files it has, null if there is no index @throws if it is damaged */
function embeddedIndex(dataDir: string): number | null {
  const { searchIndex: path } = dataPaths(dataDir)
  if (!existsSync(path)) return null
  using sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  const [{ quick_check: words } = {}] = sqlite.prepare('pragma quick_check(1)').all()
  if (words !== 'ok') throw new Error(String(words))
  return Number(sqlite.prepare('select count(*) as files from files').get()?.files)
}

async function sharedIndex(postgres: PostgresConfig): Promise<number | null> {
  const { openPostgres } = await import('../platform/db/postgres/open-postgres.ts')
  const db = await openPostgres(postgres)
  const { rows } = await sql<{ files: number }>`select count(*) as files from search_files`
    .execute(db)
    .finally(() => db.destroy())
  return rows[0]?.files ?? null
}

/** Staff and orders, if there is a database to read. */
async function work(config: Config): Promise<Finding[]> {
  if (config.postgres === null && !existsSync(dataPaths(config.dataDir).database)) return []
  try {
    return await checkWork(config, Date.now())
  } catch (error) {
    return [{ check: 'orders', ok: false, says: `Cannot be read: ${explainError(error)}` }]
  }
}

const answers = (address: string) =>
  fetch(new URL('healthz', address), { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Checks that the service of this data directory answers; else that the port is free, or Parley answers on it. */
async function port(config: Config): Promise<Finding> {
  const { host, port: number, dataDir } = config
  const serving = isServing(dataDir)
  const known = dataPaths(dataDir).address
  if (serving && existsSync(known)) {
    const address = readFileSync(known, 'utf8')
    const ok = config.tls !== null || (await answers(`${address}/`))
    return {
      check: 'port',
      ok,
      says: `Parley ${ok ? 'is running' : 'holds this data directory, and does not answer'} at ${address}`,
    }
  }
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(number, host, () => server.close(() => resolve(true)))
  })
  if (free) {
    const runs = serving ? 'a service is running on this data directory, on another port' : 'no service runs here'
    const says = `${host}:${number} is free; ${runs}`
    return { check: 'port', ok: true, says }
  }
  const scheme = config.tls === null ? 'http' : 'https'
  const ready = await answers(`${scheme}://${host}:${number}/`)
  const says = ready ? 'Parley is running at' : 'another program is using'
  return { check: 'port', ok: ready || scheme === 'https', says: `${says} ${host}:${number}` }
}

/** Checks everything that the service needs. Read-only; may run while the service runs. */
export async function doctor(config: Config): Promise<Finding[]> {
  const ffmpeg =
    'Debian and Ubuntu: apt-get install ffmpeg; Fedora: dnf install ffmpeg-free; macOS: brew install ffmpeg.'
  return [
    node(),
    await tool('ffmpeg', '-version', ffmpeg),
    await tool('ffprobe', '-version', ffmpeg),
    // Parley works without it.
    {
      ...(await tool(
        'prlimit',
        '--version',
        'The memory of ffmpeg is not limited without it. It is part of util-linux.',
      )),
      ok: true,
    },
    await engine(config),
    await disk(config),
    await checkDatabase(config),
    ...(await work(config)),
    ...(await checkStripe(config)),
    ...checkCertificate(config, Date.now()),
    ...checkBackup(config, Date.now()),
    ...(await bucket(config)),
    await searchIndex(config),
    await port(config),
    ...(commandLine === 'parley' ? await checkUnits() : []),
    ...checkSettings(process.execArgv),
    checkPages(config),
  ]
}
