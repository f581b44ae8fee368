import { expect, type Locator, type Page } from '@playwright/test'

export type Task = 'Read' | 'Edit' | 'Captions' | 'File'

/** Shows a task's sections beside an open transcript; in a narrow window, in their dialog. */
export async function openTask(page: Page, task: Task): Promise<void> {
  const button = page.getByRole('group', { name: 'Tasks' }).getByRole('button', { name: task, exact: true })
  await page.getByRole('tab', { name: task, exact: true }).or(button).click()
}

/** Like {@link openTask}, if there is room for the panel. The focus stays unless another task was shown. */
export async function showTask(page: Page, task: Task): Promise<void> {
  const tab = page.getByRole('tab', { name: task, exact: true })
  await expect(tab.or(page.getByRole('group', { name: 'Tasks' }))).toBeVisible()
  if ((await tab.isVisible()) && (await tab.getAttribute('aria-selected')) !== 'true') await tab.click()
}

/** The header's menu of downloads, opened. */
async function openDownloads(page: Page): Promise<Locator> {
  const menu = page.getByRole('menu')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  return menu
}

/** Presses a format in the header's menu of downloads. */
export async function pressFormat(page: Page, format: string): Promise<void> {
  const menu = await openDownloads(page)
  await menu.getByRole('menuitem', { name: new RegExp(`^${format}\\b`) }).click()
}

/** Opens the captions of an open transcript. */
export async function openCaptions(page: Page): Promise<void> {
  await openTask(page, 'Captions')
  await page.getByRole('link', { name: 'Check and time captions' }).click()
}
