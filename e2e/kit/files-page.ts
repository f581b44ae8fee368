import type { Page } from '@playwright/test'
import { accountClient } from '../../src/service/testing/account-client.ts'
import type { NewAccount, ServiceProcess } from './service-process.ts'

/** Calls a sandbox tool with the account's key. @returns its response: with `files`, the id of the new file */
export function tool(
  service: ServiceProcess,
  { key }: NewAccount,
  path: string,
  body: unknown,
): Promise<{ id: string }> {
  return accountClient(service.url, key).read('POST', `tools/${path}`, body)
}

/** The row of a file. */
export const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true })

/** Presses an entry of the menu in the bar for selected files. */
export async function pressMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** This device's cached bytes of the list; empty before there are any. */
export async function storedBytes(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'parley-files')) return []
    const open = indexedDB.open('parley-files')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const all = open.result.transaction('sealed').objectStore('sealed').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    open.result.close()
    const values = all.result as { data: ArrayBuffer }[]
    return values.map(({ data }) => new TextDecoder('latin1').decode(data))
  })
}
