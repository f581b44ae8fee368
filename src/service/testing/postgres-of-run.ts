import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** Global setup of the run on PostgreSQL: starts its server, and ends it after the last test. */
export function setup(project: TestProject): () => void {
  const cluster = startPostgres()
  project.provide('postgresUrl', cluster.url)
  return () => cluster.remove()
}
