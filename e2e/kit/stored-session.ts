import type { BrowserContext, Page } from '@playwright/test'
import type { Environment } from '../../src/contract/interface/environment.ts'
import type { NewAccount } from './service-process.ts'

/** A signed-in tab's sessionStorage: names and values. */
export type StoredSession = Record<string, string>

export function sessionOf({ account, key }: NewAccount, environment: Environment = 'live'): StoredSession {
  return { [`parley.session.${environment}`]: `${account}\n${key}` }
}

/** Signs tabs in without the sign-in page: stores the session before any of their scripts run. */
export async function storeSession(tabs: Page | BrowserContext, session: StoredSession): Promise<void> {
  await tabs.addInitScript((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
  }, session)
}
