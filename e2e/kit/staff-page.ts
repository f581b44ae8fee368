import { type Browser, expect, type Page } from '@playwright/test'
import type { ServiceProcess } from './service-process.ts'
import { submitKey } from './sign-in.ts'

/* The staff's pages in a browser. */

/**
 * Opens a page for a member of staff, signed in, in a separate browser. @param before runs in the page before its code
 */
export async function workPage(
  browser: Browser,
  service: ServiceProcess,
  key: string,
  before?: () => void,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url.href })
  if (before !== undefined) await context.addInitScript(before)
  const page = await context.newPage()
  await page.goto('/work')
  await submitKey(page, key)
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
  return page
}

export async function takeNext(page: Page, step: 'Type' | 'Review' | 'Check'): Promise<void> {
  // Live orders of other journeys also enter this queue as soon as there is staff.
  const onlyStep = page.getByRole('radio', { name: step })
  const offered = page.getByRole('row', { name: new RegExp(step) }).first()
  // Which of them there is shows only with the queue.
  await expect(onlyStep.or(offered).first()).toBeAttached()
  if ((await onlyStep.count()) > 0) await onlyStep.check({ force: true })
  await expect(offered).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${step}: `)
  await expect(page.getByText('Saved', { exact: false }).first()).toBeVisible()
}

/** Plays nothing, gives a reason, ticks all points. */
export async function finish(page: Page): Promise<void> {
  for (const point of await page.getByRole('complementary').getByRole('checkbox').all()) await point.check()
  await page.getByRole('button', { name: 'Finish' }).click()
  const dialog = page.getByRole('dialog')
  // An earlier step may have played all of it.
  const reason = dialog.getByLabel('Why is that enough?')
  const submit = dialog.getByRole('button', { name: 'Finish' })
  await expect(async () => {
    if (await reason.isVisible()) await reason.fill('Read along')
    await expect(submit).toBeEnabled({ timeout: 1 })
  }).toPass()
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
}

export const text = (page: Page) => page.getByRole('feed', { name: 'Turns' })
export const typed = (page: Page) => page.getByRole('textbox', { name: 'Text of this turn' })

/** Opens the first turn for typing with its text selected: the next input replaces it. */
export async function beginToType(page: Page): Promise<void> {
  await text(page).getByRole('paragraph').first().dblclick()
  await typed(page).press('ControlOrMeta+a')
}
