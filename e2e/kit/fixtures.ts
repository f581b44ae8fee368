import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { clusterOfRun } from '../../src/service/testing/running-cluster.ts'
import { BadNetwork } from './bad-network.ts'
import { type NewAccount, ServiceProcess } from './service-process.ts'
import { type Engine, startWithEngine } from './start-with-engine.ts'

type TestFixtures = {
  /** a fresh live account of the worker's service */
  account: NewAccount
  /** a fresh sandbox account */
  sandboxAccount: NewAccount
  /**
   * the network between the browser and the worker's service, which can be throttled, cut and made to respond wrongly
   */
  network: BadNetwork
  /** errors logged by the page; a test that provokes one calls `ignoreErrors` */
  loggedErrors: string[]
}
type WorkerFixtures = {
  /** `pocketsphinx` for journeys that read spoken words */
  engine: Engine
  service: ServiceProcess
}

/** One real service per worker; a page error or console error fails the test (house rule 12). */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['fake', { option: true, scope: 'worker' }],
  service: [
    async ({ engine }, use) => {
      const cluster = clusterOfRun()
      const service = await (cluster === null ? startWithEngine(engine) : ServiceProcess.join(cluster))
      await use(service)
      await service.remove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url.href),
  account: async ({ service }, use) => use(await service.createAccount('live')),
  sandboxAccount: async ({ service }, use) => use(await service.createAccount('sandbox')),
  network: async ({ service }, use) => {
    const network = await BadNetwork.to(service.url)
    await use(network)
    await network.close()
  },
  loggedErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        // The browser logs each 4xx and 5xx response itself; the tests check what the page shows.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          errors.push(message.text())
      })
      await use(errors)
      expect(errors, 'errors logged by the page').toEqual([])
    },
    { auto: true },
  ],
})

/** Removes logged errors that contain these words, which the test provoked. */
export function ignoreErrors(loggedErrors: string[], words: string): void {
  loggedErrors.splice(0, loggedErrors.length, ...loggedErrors.filter((text) => !text.includes(words)))
}

/** Opens one of the account's pages through the navigation. */
export async function openPage(page: Page, name: 'Usage' | 'Webhooks' | 'Settings'): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  // The settings begin with the account.
  const heading = name === 'Settings' ? 'Account' : name
  await expect(page.getByRole('heading', { name: heading, exact: true, level: 1 })).toBeVisible()
}

/** Opens a page of the settings through the navigation. */
export async function openSettings(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

/** Waits for transitions to end: axe would measure an intermediate color. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A changed theme reaches the page with the next frame, and its transitions begin one frame later.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    // The player's animations last as long as the audio; wait only for transitions.
    const moving = document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState === 'running')
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
}

/** Fails if axe finds a violation of WCAG 2.2 AA on the page in its current state. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  await settle(page)
  const { violations } = await new AxeBuilder({ page })
    // Without a blank page to merge frames in, of which these pages have none, it takes a third of the time.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // Base UI's guards around an open menu are hidden and focusable by design: they pass the focus on immediately.
    .exclude('[data-base-ui-focus-guard]')
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}
