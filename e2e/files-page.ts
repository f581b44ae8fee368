import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type { NewAccount, ServiceProcess } from './service-process.ts'

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

/** What is kept of the list on this device, byte for byte; '' before there is any. */
export async function keptBytes(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'parley-files')) return ''
    const open = indexedDB.open('parley-files')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const all = open.result.transaction('sealed').objectStore('sealed').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    open.result.close()
    const values = all.result as { data: ArrayBuffer }[]
    return values.map(({ data }) => new TextDecoder('latin1').decode(data)).join('')
  })
}
