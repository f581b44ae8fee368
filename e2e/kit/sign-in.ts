import { expect, type Page } from '@playwright/test'

/** Submits a key on a sign-in page, whatever the outcome. @param keep until the tab closes, so over reloads */
export async function submitKey(page: Page, key: string, { keep = false } = {}): Promise<void> {
  await page.getByLabel(/^(API|Staff) key$/).fill(key)
  if (keep) await page.getByLabel(/Keep me signed in/).check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Signs in through the page and waits for the page behind it.
 * @param at the page to open first: the sign-in page, any other that asks for the key and then shows itself, or one of
 *   another service; null if the current page asks for the key
 * @param keep stays signed in over reloads, until the tab closes
 */
export async function signIn(
  page: Page,
  key: string,
  { at = '/sign-in', keep = false }: { at?: URL | string | null; keep?: boolean } = {},
): Promise<void> {
  if (at !== null) await page.goto(String(at))
  await submitKey(page, key, { keep })
  await expect(page.getByLabel('API key', { exact: true })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** The sign-in page of a service, for `at`. */
export function signInPage({ url }: { url: URL }): URL {
  return new URL('/sign-in', url)
}
