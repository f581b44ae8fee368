import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { any, comesTrue, newKey, quiet, Tally } from './rounds.ts'

const damaged = unlessShort(100, 1)
const killed = unlessShort(40, 1)
const main = join(import.meta.dirname, '../../../src/service/parley.ts')

/** Ways to corrupt an archive. */
const damages: readonly ((good: Buffer) => Buffer)[] = [
  (good) => good.subarray(0, Math.floor(Math.random() * good.length)),
  (good) => {
    const at = Math.floor(Math.random() * good.length)
    return Buffer.concat([good.subarray(0, at), Buffer.from([(good[at] ?? 0) ^ 255]), good.subarray(at + 1)])
  },
  (good) => {
    const at = 512 * Math.floor((Math.random() * good.length) / 512)
    return Buffer.concat([good.subarray(0, at), good.subarray(at + 512)])
  },
]

/** Runs the operators' command line. @param killAfterMs kills it after this time @returns whether it succeeded */
function parley(service: ServiceProcess, args: readonly string[], killAfterMs = 0): Promise<boolean> {
  const options = { timeout: killAfterMs, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) =>
    execFile(process.execPath, [main, ...args, '--data', service.dataDir], options, (error) => resolve(error === null)),
  )
}

/** Corrupt archives, and kills of backup and restore: afterwards the state is unchanged. */
export const tortureArchive: Bench = async () => {
  const service = await ServiceProcess.start(quiet)
  const directory = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  const [archives, kills] = [new Tally('damaged archives'), new Tally('kills of backup and restore')]
  try {
    const key = await newKey(service, 'live')
    const tools = await newKey(service, 'sandbox')
    for (const percent of [0, 40, 100]) {
      await accountClient(service.url, tools).read('POST', 'tools/files', { seconds: 60, progress_percent: percent })
    }
    const state = async () => {
      const ids = (await (await askApi(service.url, tools, 'files')).json()) as { id: string }[]
      const hash = createHash('sha256')
      for (const { id } of ids) {
        const { headers } = await askApi(service.url, tools, `file/${id}`, { method: 'HEAD' })
        hash.update(id + headers.get('x-service-metadata'))
        hash.update(await readFile(join(service.dataDir, 'blobs/files', id, 'media')))
      }
      const others = (await (await askApi(service.url, key, 'files')).json()) as unknown[]
      return `${ids.length} ${others.length} ${hash.digest('hex')}`
    }
    // An accepted restore restarts the service, which is briefly unavailable.
    const isAsBefore = (before: string) => comesTrue(async () => (await state().catch(() => '')) === before, 20_000)
    const before = await state()
    const good = join(directory, 'good.tar')
    await service.parley('backup', good)
    const content = await readFile(good)
    for (let count = 0; count < damaged; count += 1) {
      const file = join(directory, 'damaged.tar')
      await writeFile(file, any(damages)(content))
      const isTaken = await parley(service, ['restore', file])
      archives.count(await isAsBefore(before), isTaken ? 'was taken, and changed something' : 'changed something')
    }
    for (let count = 0; count < killed; count += 1) {
      const written = join(directory, `${count}.tar`)
      const args = count % 2 === 0 ? ['backup', written] : ['restore', good]
      await parley(service, args, Math.round(300 + Math.random() * 700))
      kills.count(await isAsBefore(before), `${args[0]} changed something`)
      await service.kill()
      await service.boot()
      // A chore at startup removes it, concurrently with the first requests.
      const leaves = async () => (await readdir(service.dataDir)).some((name) => /^(backup-|restore-\d)/.test(name))
      const isClean = await comesTrue(async () => !(await leaves()), 20_000)
      kills.count(isClean && (await isAsBefore(before)), `${args[0]} left something`)
    }
    return [...archives.rows(), ...kills.rows()]
  } finally {
    await service.remove()
    await rm(directory, { recursive: true })
  }
}
