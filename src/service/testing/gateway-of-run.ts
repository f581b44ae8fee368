import type { TestProject } from 'vitest/node'
import { startGateway } from './start-gateway.ts'

declare module 'vitest' {
  interface ProvidedContext {
    s3Endpoint: string
  }
}

/** Global setup of the run on S3: starts its gateway, and ends it after the last test. */
export async function setup(project: TestProject): Promise<() => void> {
  const gateway = await startGateway()
  project.provide('s3Endpoint', gateway.endpoint)
  return () => gateway.stop()
}
