import fastify from 'fastify'
import { readConfig } from '../start/cli/read-config.ts'
import { openPlatform, type startService } from '../start/service.ts'

/** Where a cluster answers, and the variables of its processes. */
export type RunningCluster = { url: string; env: Record<string, string> }

/** The cluster that `npm run cluster` has started for this run of tests; null where each starts a service of its own. */
export function clusterOfRun(): RunningCluster | null {
  const text = process.env.PARLEY_CLUSTER
  return text === undefined ? null : JSON.parse(text)
}

/** For tests: in place of `startService`, speaks to the cluster of this run, and makes accounts in its database. */
export function runningCluster(): typeof startService | null {
  const cluster = clusterOfRun()
  if (cluster === null) return null
  return async (_, { log }) => {
    // Of no account where limits of a key are shared: it answers no requests.
    const config = readConfig({}, { ...cluster.env, PARLEY_ROLE: 'worker' })
    const platform = await openPlatform(config, Date.now, log)
    return {
      platform,
      address: cluster.url,
      metricsPort: null,
      app: fastify(),
      doChores: () => Promise.reject(new Error('The cluster does its chores itself.')),
      close: () => platform.closeStore(),
    }
  }
}
