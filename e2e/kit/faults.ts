import { test as base } from './fixtures.ts'
import type { ServiceProcess } from './service-process.ts'
import type { Counts, Faults } from './service-with-faults.ts'
import { type Engine, startWithEngine } from './start-with-engine.ts'

/** Starts the real service with the fault switch in front of it. @param environment added to that of the journeys */
export function startWithFaults(engine?: Engine, environment?: Record<string, string>): Promise<ServiceProcess> {
  const entry = new URL('service-with-faults.ts', import.meta.url).pathname
  return startWithEngine(engine, environment, entry)
}

/** Replaces the active faults, and resets the counts. */
export async function setFaults(service: ServiceProcess, faults: Faults): Promise<void> {
  await fetch(new URL('faults', service.url), { method: 'PUT', body: JSON.stringify(faults) })
}

/** The switch's counts since the faults were set. */
export async function counts(service: ServiceProcess): Promise<Counts> {
  return (await (await fetch(new URL('faults', service.url))).json()) as Counts
}

/** Journeys against the real service with the fault switch; faults end with their journey. */
export const test = base.extend<{ endsFaults: undefined }, { service: ServiceProcess }>({
  service: [
    async ({ engine }, use) => {
      const service = await startWithFaults(engine)
      await use(service)
      await service.remove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  endsFaults: [
    async ({ service }, use) => {
      await use(undefined)
      await setFaults(service, {})
    },
    { auto: true },
  ],
})
