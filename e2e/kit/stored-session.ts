import type { BrowserContext, Page } from '@playwright/test'
import type { Environment } from '../../src/contract/interface/environment.ts'
import type { NewAccount } from './service-process.ts'

/** What a tab's sessionStorage holds while it is signed in: names and values. */
export type StoredSession = Record<string, string>

export function sessionOf({ account, key }: NewAccount, environment: Environment = 'live'): StoredSession {
  return { [`parley.session.${environment}`]: `${account}\n${key}` }
}

/** Signs tabs in without the sign-in page: the session is stored before any script of theirs runs. */
export async function storeSession(tabs: Page | BrowserContext, session: StoredSession): Promise<void> {
  await tabs.addInitScript((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
  }, session)
}
