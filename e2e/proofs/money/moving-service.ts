import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { readConfig, serveFlags } from '../../../src/service/start/cli/read-config.ts'
import { startService } from '../../../src/service/start/service.ts'

/*
 * The real service, whose clock can be moved (`POST /?ms=` at the second address that it prints says how far ahead it is,
 * and does all chores) and whose sandbox pays by Stripe, too: sample files then cost money at any progress.
 */

const { values } = parseArgs({ allowPositionals: true, options: serveFlags })
const config = readConfig(values, process.env)
const kept = join(config.dataDir, 'clock-offset')
let offsetMs = existsSync(kept) ? Number(readFileSync(kept, 'utf8')) : 0
let rateLimitMs = 0
const service = await startService(
  { ...config, role: 'api', leavesForMs: 0 },
  {
    clock: () => Date.now() + offsetMs,
    log: pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true })),
    // Rate limits are another matter.
    monotonic: () => (rateLimitMs += 1_000),
  },
)
Object.assign(service.platform.payment, { sandbox: service.platform.payment.live })
const control = createServer(async (request, response) => {
  offsetMs = Number(new URL(`${request.url}`, 'http://x').searchParams.get('ms'))
  writeFileSync(kept, String(offsetMs))
  await service.doChores()
  response.end()
})
control.listen(0, '127.0.0.1', () => {
  process.stdout.write(`control at http://127.0.0.1:${(control.address() as AddressInfo).port}\n`)
  process.stdout.write(`Parley is ready at ${service.address}\n`)
})
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
// A campaign that is killed leaves none behind.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(), 1_000).unref()
