import type { Browser, Page } from '@playwright/test'
import { accountClient } from '../../src/service/testing/account-client.ts'
import { field, turn } from './harbour-talk.ts'
import { untilCorrectable } from './seeded-transcripts.ts'
import type { NewAccount, ServiceProcess } from './service-process.ts'
import { sessionOf, storeSession } from './stored-session.ts'

/* Devices of one account, which share nothing but the service. */

/** Creates a finished transcript, `Shared talk`. @returns its id */
export async function sample(service: ServiceProcess, { key }: NewAccount): Promise<string> {
  const wanted = { seconds: 120, progress_percent: 100, name: 'Shared talk' }
  const client = accountClient(service.url, key)
  return (await client.read<{ id: string }>('POST', 'tools/files', wanted)).id
}

/** Opens a transcript on a separate device, ready to be corrected. */
export async function openOn(
  browser: Browser,
  service: ServiceProcess,
  account: NewAccount,
  id: string,
): Promise<Page> {
  const device = await browser.newContext({ baseURL: service.url.href })
  await storeSession(device, sessionOf(account, 'sandbox'))
  const page = await device.newPage()
  await page.goto(`/sandbox/files/${id}`)
  await untilCorrectable(page)
  return page
}

/** Inserts text before a turn. */
export async function putBefore(page: Page, index: number, words: string): Promise<void> {
  const text = (await turn(page, index).textContent()) ?? ''
  await turn(page, index).dblclick({ position: { x: 8, y: 12 } })
  await field(page).fill(`${words} ${text}`)
  await field(page).press('Enter')
}
