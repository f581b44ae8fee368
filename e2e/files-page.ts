import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { test as base } from './fixtures.ts'
import { type NewAccount, ServiceProcess } from './service-process.ts'
import type { Counts, Faults } from './service-with-faults.ts'

/** The real service, with the fault switch in front of it. */
export const test = base.extend<{ endsFaults: undefined }, { service: ServiceProcess }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
    async ({}, use) => {
      const entry = new URL('service-with-faults.ts', import.meta.url).pathname
      const service = await ServiceProcess.start({ RECOGNISER: 'pocketsphinx', OFFLINE: '1' }, entry)
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

/** Sets the faults from now on, and counts anew. */
export async function setFaults(service: ServiceProcess, faults: Faults): Promise<void> {
  await fetch(new URL('faults', service.url), { method: 'PUT', body: JSON.stringify(faults) })
}

/** What the switch has counted since the faults were set. */
export async function counts(service: ServiceProcess): Promise<Counts> {
  return (await (await fetch(new URL('faults', service.url))).json()) as Counts
}

/** One of the sandbox's tools, with the account's key. */
export async function tool(
  service: ServiceProcess,
  { key }: NewAccount,
  path: string,
  body: unknown,
): Promise<{ id: string }> {
  const response = await fetch(new URL(`sandbox/account/tools/${path}`, service.url), {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok, `${path}: ${response.status}`).toBe(true)
  return response.status === 204 ? { id: '' } : ((await response.json()) as { id: string })
}

/** The row of a file. */
export const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true })

/** Signs in so that a reload of the tab keeps it. */
export async function signInToStay(page: Page, key: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByLabel('Keep me signed in until this tab closes').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
}
