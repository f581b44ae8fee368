import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../../src/service/start/cli/read-config.ts'
import { startService } from '../../../src/service/start/service.ts'

/*
 * The real service with its clock shifted by the file `clock` in its data directory (milliseconds to add), NAME_SERVER
 * as its DNS server, and chores triggered by SIGUSR2.
 */

const { NAME_SERVER } = process.env
if (NAME_SERVER !== undefined) {
  const { resolve4 } = Resolver.prototype
  // Called first by each look-up; later it is too late to set servers.
  Resolver.prototype.resolve4 = function (this: Resolver, ...parameters: unknown[]) {
    this.setServers([NAME_SERVER])
    return Reflect.apply(resolve4, this, parameters)
  } as typeof resolve4
}

const flag = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? ''
const clock = () => {
  try {
    return Date.now() + Number(readFileSync(join(flag('--data'), 'clock'), 'utf8'))
  } catch {
    return Date.now()
  }
}
const config = readConfig({ port: flag('--port'), data: flag('--data') }, process.env)
const service = await startService(config, { clock, log: pino({ level: 'silent' }) })
process.on('SIGUSR2', () => void service.doChores())
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
process.stdout.write(`Parley is ready at ${service.address}\n`)
