export const environments = ['live', 'sandbox'] as const
export type Environment = (typeof environments)[number]

const keyPrefixes: Record<Environment, string> = { live: 'parley_live_', sandbox: 'parley_test_' }

/** The text every API key of an environment begins with (decision 14). */
export function keyPrefix(environment: Environment): string {
  return keyPrefixes[environment]
}

/** The environment that a key's form names, or null if the key is not of Parley's form (a remote service's key). */
export function environmentOfKey(key: string): Environment | null {
  return environments.find((environment) => key.startsWith(keyPrefixes[environment])) ?? null
}

/** Where an environment's REST interface lives below the service's address (spec 1, rules 3 and 4). */
export function apiBasePath(environment: Environment): string {
  return environment === 'live' ? '/v1/' : '/sandbox/v1/'
}

/** Where an environment's account interface lives; it is Parley's own extension and absent from `/v1/`. */
export function accountBasePath(environment: Environment): string {
  return environment === 'live' ? '/account/' : '/sandbox/account/'
}
