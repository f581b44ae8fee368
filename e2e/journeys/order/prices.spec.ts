import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { defaultRates } from '../../../src/contract/interface/price.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { readConfig } from '../../../src/service/start/cli/read-config.ts'
import { expectNoAxeFindings, openPage, openSettings, test } from '../../kit/fixtures.ts'
import { dock, fillTray, payButton } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/** Pictures of what stands open, if somebody wants to look: `PICTURES=/tmp/here`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder === undefined) return
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: width < 1_000 })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a customer sees since when prices hold, what is free, and gets back what nobody has begun', {
  tag: '@slow',
}, async ({ page }) => {
  const rates = join(await mkdtemp(join(tmpdir(), 'parley-rates-')), 'rates.json')
  const next = { ...defaultRates, automated: 12, from: '2090-03-01' }
  await writeFile(rates, JSON.stringify({ USD: [{ ...defaultRates, from: '2026-01-01' }, next] }))
  const service = await ServiceProcess.start({ RATES_FILE: rates, FREE_MINUTES: '2' })
  try {
    const { key } = await service.createAccount('live')
    await signIn(page, key, { at: signInPage(service) })
    await fillTray(page, [await tone(60, 'First.m4a'), await tone(120, 'Second.m4a'), await tone(30, 'Third.m4a')])
    // Two minutes are free, in the order of the tray.
    await expect(payButton(page)).toHaveText('Upload and pay $0.15')
    const panel = page.getByRole('region', { name: 'Options and price' })
    await expect(panel).toContainText(
      '2:00 of it is free. You have 2:00 of 2:00 free automated minutes left this month.',
    )
    await expect(panel).toContainText('$0.10 / min')
    await expect(panel).toContainText(/Prices since 1 Jan.*\. From 1 Mar 2090: automated \$0\.12/)
    await expectNoAxeFindings(page)
    await picture(page, 'order')
    await payButton(page).click()
    await expect(dock(page)).toContainText('3 files in this order')
    await openPage(page, 'Usage')
    const ledger = page.getByRole('region', { name: 'Ledger' })
    await expect(ledger).toContainText(/Charge · [12]:00 free/)
    await expect(ledger.getByRole('row')).toHaveCount(4)
    await expect(page.getByText('$0.15').first()).toBeVisible()
    await openSettings(page, 'Money')
    await expect(page.getByText('0:00 of 2:00 free automated minutes are left this month.')).toBeVisible()

    await fillTray(page, await tone(48, 'Typed.m4a', 440))
    await page.getByRole('radio', { name: /Manual/ }).check()
    await expect(panel).toContainText('refunded in full on its delivery date if nobody has begun')
    await expect(payButton(page)).toHaveText('Upload and pay $1.00')
    await payButton(page).click()
    const config = readConfig({}, { DATA_DIR: service.dataDir })
    const due = { delivery_at: Date.now() - 1 }
    await expect
      .poll(() =>
        withDatabase(config, async (db) => {
          const late = db.updateTable('files').set(due).where('name', '=', 'Typed')
          return Number((await late.executeTakeFirst()).numUpdatedRows)
        }),
      )
      .toBe(1)
    // The chore looks once a minute, and at each start.
    await service.stop()
    await service.boot()
    await signIn(page, key, { at: signInPage(service) })
    const row = page.getByRole('row').filter({ hasText: 'Typed' })
    await expect(row).toContainText('Given up, refunded')
    await picture(page, 'files')
    await row.getByRole('link').first().click()
    await expect(
      page.getByText('Nobody had begun this order on its delivery date. USD 1.00 is refunded.'),
    ).toBeVisible()
    await expectNoAxeFindings(page)
    await expect(page.getByText('No text yet')).toBeHidden()
    await picture(page, 'refunded')
    await openPage(page, 'Usage')
    await expect(ledger).toContainText('Refund at 0% · nobody had begun')
    await picture(page, 'ledger')
  } finally {
    await service.remove()
  }
})

test('a discount is said where its prices are paid', async ({ page, service, account: { account, key } }) => {
  await service.parley('account', 'set', account, '--discount', '50')
  await signIn(page, key)
  await fillTray(page, [await tone(60, 'Half.m4a')])
  await expect(payButton(page)).toHaveText('Upload and pay $0.05')
  await expect(page.getByText('Less your discount of 50% · Partly refundable below 60%')).toBeVisible()
})
