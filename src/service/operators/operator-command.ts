import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'

/** `doctor`, `backup FILE` and `restore FILE`; null for any other command. @throws StartError */
export function operatorCommand(config: Config, [command, file, ...rest]: readonly string[]): Promise<unknown> | null {
  if (command === 'doctor' && file === undefined) return examine(config)
  if (file === undefined || rest.length > 0) return null
  if (command === 'backup') return backup(config.dataDir, file)
  return command === 'restore' ? restore(config.dataDir, file) : null
}

async function examine(config: Config): Promise<string[]> {
  const findings = await doctor(config)
  const lines = findings.map(({ check, ok, says }) => `${ok ? 'ok     ' : 'PROBLEM'} ${check.padEnd(10)} ${says}`)
  if (findings.every(({ ok }) => ok)) return lines
  throw new StartError(lines.join('\n'))
}
