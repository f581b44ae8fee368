import { readFileSync } from 'node:fs'
import { type Config, composeConfig, readSettings, type Setting, settings } from '../../platform/config.ts'
import { explainError, StartError } from '../../platform/start-error.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Mores = { [Name in keyof typeof settings]: (typeof settings)[Name][4] }[keyof typeof settings]
type Flag = Extract<Mores, { flag: string }>['flag']
/** Flags of `serve`; each overrides its environment variable. */
export type ServeFlags = { [Name in Flag]?: string | undefined }
/** The same flags as options of `parseArgs`. */
export const serveFlags = Object.fromEntries(
  Object.values<Setting>(settings).flatMap(([, , , , { flag } = {}]) => (flag ? [[flag, { type: 'string' }]] : [])),
) as Record<Flag, { type: 'string' }>

/** Returns a variable, or the content of the file that `…_FILE` names. */
function readSecret(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (env[name] || !path) return env[name]
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`${name}_FILE cannot be read: ${explainError(error)}.`, { cause: error })
  }
}

/** Builds the configuration from flags and environment; blank means unset. @throws StartError naming the problem */
export function readConfig(flags: ServeFlags, env: Environment): Config {
  const textOf = ([name, , , , { flag = '', orEnv = '', hasFile } = {}]: Setting) =>
    [flags[flag as keyof ServeFlags], hasFile ? readSecret(env, name) : env[name], env[orEnv]]
      .map((text) => text?.trim())
      .find(Boolean)
  return composeConfig(readSettings(textOf))
}

/**
 * Builds the configuration with data places replaced by those of `restore --into`, ignoring those of the environment.
 * Without a directory the data directory stays.
 * @param targets `postgres://…`, `s3://…` or a directory; each kind once
 * @throws StartError as `readConfig`, or if a kind is repeated
 */
export function readTarget(flags: ServeFlags, env: Environment, targets: readonly string[]): Config {
  const kindOf = (target: string) => /^(postgres|s3)(?:ql)?:\/\//.exec(target)?.[1] ?? 'directory'
  const byKind = Object.groupBy(targets, kindOf)
  if (Object.values(byKind).some((those) => those?.length !== 1)) {
    throw new StartError('--into takes one database, and one bucket or directory.')
  }
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !/^DATABASE_(DIRECT_)?URL/.test(name)))
  const [DATABASE_URL, BLOBS] = [byKind.postgres?.[0], byKind.s3?.[0]]
  return readConfig({ ...flags, data: byKind.directory?.[0] ?? flags.data }, { ...rest, DATABASE_URL, BLOBS })
}
