import fastify from 'fastify'
import { readConfig } from '../start/cli/read-config.ts'
import { openPlatform, type startService } from '../start/service.ts'

/** The URL of a cluster, and the environment variables of its processes. */
export type RunningCluster = { url: string; env: Record<string, string> }

/** The cluster that `npm run cluster` has started for this test run; null if each test starts its own service. */
export function clusterOfRun(): RunningCluster | null {
  const text = process.env.PARLEY_CLUSTER
  return text === undefined ? null : JSON.parse(text)
}

/** For tests: replaces `startService` with the cluster of this run, and creates accounts in its database. */
export function runningCluster(): typeof startService | null {
  const cluster = clusterOfRun()
  if (cluster === null) return null
  return async (_, { log }) => {
    // Not counted as a node that shares a key's rate limits: it serves no requests.
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
