import { existsSync } from 'node:fs'
import type { Config } from '../platform/config.ts'
import { tryLockCommands } from '../platform/data-directory.ts'
import { StartError } from '../platform/start-error.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { lineOf } from './doctor-findings.ts'
import { backupTo, verifyRepository } from './repository.ts'
import { type Consent, removeWork, restore } from './restore.ts'
import { restoreInto } from './restore-into.ts'
import { supportBundle } from './support-bundle.ts'

/**
 * Parses `doctor`, `support-bundle [FILE]`, `backup FILE` and `restore FILE`; null for any other command.
 * @param isInto the configuration is the target of `restore --into`
 * @param consent for `restore`
 * @param repository of `backup --to`, `restore --from` and its snapshot
 * @throws StartError
 */
export function operatorCommand(
  config: Config,
  [command, file, ...rest]: readonly string[],
  isInto: boolean,
  consent: Consent,
  repository: { to?: string | undefined; from?: string | undefined; at?: string | undefined },
): Promise<unknown> | null {
  const { to, from, at = 'latest' } = repository
  // Without a repository it is no backup into a file of that name.
  if (command === 'backup' && file === 'verify') return rest.length === 1 ? verifyRepository(rest[0] ?? '') : null
  if (config.postgres === null && file === undefined && !isInto) {
    if (command === 'backup' && to !== undefined) return alone(config.dataDir, () => backupTo(config.dataDir, to))
    if (command === 'restore' && from !== undefined) {
      return alone(config.dataDir, () => restore(config.dataDir, from, consent, at))
    }
  }
  if (isInto && command !== 'restore') throw new StartError('--into is for restore.')
  if (command === 'doctor' && file === undefined) return examine(config)
  if (command === 'support-bundle' && rest.length === 0) return supportBundle(config, file)
  if (file === undefined || rest.length > 0) return null
  const { dataDir, postgres } = config
  if (isInto && postgres !== null)
    return alone(dataDir, () => restoreInto(config, postgres, file, consent.revokeAllKeys))
  if (postgres !== null && (command === 'backup' || command === 'restore')) {
    const words = 'With DATABASE_URL, back up PostgreSQL by its own means, and then the data directory.'
    throw new StartError(`${command} is for the embedded database. ${words}`)
  }
  if (command === 'backup') return alone(dataDir, () => backup(dataDir, file))
  return command === 'restore' ? alone(dataDir, () => restore(dataDir, file, consent)) : null
}

/** Runs a command under the operators' lock, after removing the remains of killed ones. */
async function alone<Result>(dataDir: string, command: () => Promise<Result>): Promise<Result> {
  const unlock = existsSync(dataDir) ? tryLockCommands(dataDir) : () => undefined
  if (unlock === null) throw new StartError('Another backup or restore is running. Wait until it has finished.')
  try {
    await removeWork(dataDir)
    return await command()
  } finally {
    unlock()
  }
}

async function examine(config: Config): Promise<string[]> {
  const findings = await doctor(config)
  if (!findings.every(({ ok }) => ok)) process.exitCode = 1
  return findings.map(lineOf)
}
