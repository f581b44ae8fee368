export const environments = ['live', 'sandbox'] as const
export type Environment = (typeof environments)[number]

const keyPrefixes: Record<Environment, string> = { live: 'parley_live_', sandbox: 'parley_test_' }

/** The prefix of every API key of an environment (decision 14). */
export function keyPrefix(environment: Environment): string {
  return keyPrefixes[environment]
}

/** The environment of a key by its prefix, or null if it is not a Parley key (a remote service's key). */
export function environmentOfKey(key: string): Environment | null {
  return environments.find((environment) => key.startsWith(keyPrefixes[environment])) ?? null
}

/** Base path of an environment's REST interface below the service's address (spec 1, rules 3 and 4). */
export function apiBasePath(environment: Environment): string {
  return environment === 'live' ? '/v1/' : '/sandbox/v1/'
}

/** Base path of an environment's account interface; Parley's own extension, absent from `/v1/`. */
export function accountBasePath(environment: Environment): string {
  return environment === 'live' ? '/account/' : '/sandbox/account/'
}
