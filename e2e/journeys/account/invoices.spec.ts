import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Usage } from '../../../src/contract/account/usage.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings, openSettings, test } from '../../kit/fixtures.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

const invoicing = {
  SELLER: 'Example Ltd, 1 High Street, London',
  SELLER_VAT_NUMBER: 'GB123456789',
  VAT_PERCENT: '19',
  INVOICE_PREFIX: 'PAR-',
}

test('who is invoiced is entered, and the invoice that is downloaded adds up to the ledger', { tag: '@slow' }, async ({
  page,
}) => {
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', ...invoicing }
  const service = await ServiceProcess.start(env)
  try {
    const { key } = await service.createAccount('sandbox')
    const client = accountClient(service.url, key)
    for (const seconds of [600, 61]) await client.read('POST', 'tools/files', { seconds, progress_percent: 20 })
    const { charged_cents } = await client.read<Usage>('GET', 'usage')
    await signIn(page, key, { at: signInPage(service) })
    await openSettings(page, 'Money')
    const section = page.getByRole('region', { name: 'Invoices' })
    await expect(section.getByText('They include 19 % VAT.')).toBeVisible()
    await expect(section.getByText('each is charged when it has arrived')).toBeVisible()
    await section.getByLabel('Company or name').fill('Müller & Söhne GmbH')
    await section.getByLabel('Address').fill('Hauptstraße 1\n10115 Berlin')
    await section.getByLabel('VAT number').fill('DE12')
    await expect(section.getByText('This does not look like a VAT number.')).toBeVisible()
    await expectNoAxeFindings(page)
    await section.getByLabel('VAT number').fill('de 123 456 789')
    await expect(section.getByText('Not saved yet')).toBeVisible()
    await section.getByRole('button', { name: 'Save details' }).click()
    await expect(section.getByText('Not saved yet')).toBeHidden()
    await expect(section.getByLabel('VAT number')).toHaveValue('DE123456789')
    await section.getByRole('button', { name: 'Write one now…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write this invoice?' })
    await expect(dialog.getByRole('listitem')).toHaveText(
      `Invoice to Müller & Söhne GmbH19% VAT in it$${(charged_cents / 100).toFixed(2)}`,
    )
    await dialog.getByRole('button', { name: 'Write' }).click()
    await expect(section.getByText('Nothing is left to be invoiced.')).toBeFocused()
    const saved = page.waitForEvent('download')
    await section.getByRole('button', { name: 'PDF of TEST-PAR-00001' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('TEST-PAR-00001.pdf')
    const pdf = await readFile(await download.path())
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
    expect(text).toContain('Müller & Söhne GmbH')
    expect(text).toMatch(new RegExp(`Total +${(charged_cents / 100).toFixed(2)} USD`))
    await expect(section.getByText('Nothing is left to be invoiced.')).toBeVisible()
    await expectNoAxeFindings(page)
    // Ordered by that company: its receipt goes there, whoever orders from now on.
    const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 600, progress_percent: 20 })
    await section.getByLabel('Company or name').fill('Nachfolger GmbH')
    await section.getByRole('button', { name: 'Save details' }).click()
    await expect(section.getByText('Not saved yet')).toBeHidden()
    await section.getByRole('button', { name: 'Write one now…' }).click()
    await expect(dialog.getByRole('listitem')).toContainText('Invoice to Müller & Söhne GmbH')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await signIn(page, key, { at: new URL(`/sandbox/files/${id}/receipt`, service.url) })
    const receipt = page.getByRole('article')
    await expect(receipt).toContainText('Müller & Söhne GmbH')
    await expect(receipt).toContainText('VAT number GB123456789')
    await expect(receipt).toContainText('19% VAT in it$2.00')
    await expect(receipt).toContainText('This is a receipt, and no invoice.')
    await expect(receipt).not.toContainText('Nachfolger')
    await expectNoAxeFindings(page)
  } finally {
    await service.remove()
  }
})

test('the receipt of a month has a section for each company that was billed, with its VAT in words', {
  tag: '@slow',
}, async ({ page }) => {
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', ...invoicing }
  const service = await ServiceProcess.start(env)
  try {
    const { key } = await service.createAccount('sandbox')
    const client = accountClient(service.url, key)
    const order = async (seconds: number) =>
      (await client.read<{ id: string }>('POST', 'tools/files', { seconds, progress_percent: 20 })).id
    const company = { company: 'Alder Verlag', address: 'Hauptstraße 1', vat_number: null, reverse_charge: false }
    const unnamed = await order(600)
    await client.read('PUT', 'invoicing', company)
    await client.read('POST', 'invoices')
    await client.read('PUT', 'invoicing', { ...company, company: 'Nachfolger GmbH' })
    await signIn(page, key, { at: new URL(`/sandbox/files/${unnamed}/receipt`, service.url) })
    const receipt = page.getByRole('article')
    // As on its invoice, though nobody was named when it was ordered.
    await expect(receipt).toContainText('ToAlder Verlag')
    await expect(receipt).not.toContainText(/Nachfolger|as of/)
    const reversed = { ...company, company: 'Bureau SARL', vat_number: 'FR83404833048', reverse_charge: true }
    await client.read('PUT', 'invoicing', reversed)
    const french = await order(60)
    await signIn(page, key, { at: new URL(`/sandbox/files/${french}/receipt`, service.url) })
    const reverse = 'Reverse charge: no VAT in it, the recipient of the service accounts for it$0.00'
    await expect(receipt).toContainText(reverse)
    const month = new Date().toISOString().slice(0, 7)
    await signIn(page, key, { at: new URL(`/sandbox/usage/${month}`, service.url) })
    const alder = receipt.getByRole('region', { name: 'To Alder Verlag' })
    await expect(alder.getByRole('row')).toHaveCount(2)
    await expect(alder).toContainText('Total, USD$12.5019% VAT in it$2.00')
    const bureau = receipt.getByRole('region', { name: 'To Bureau SARL' })
    await expect(bureau).toContainText(`VAT number FR83404833048`)
    await expect(bureau).toContainText(`Total, USD$1.25${reverse}`)
    await expect(receipt).toContainText('All of these, USD$13.75')
    await expect(receipt.getByRole('columnheader', { name: 'Paid with' })).toHaveCount(2)
    await expect(receipt).not.toContainText('Nachfolger')
    await expectNoAxeFindings(page)
    // What is open for one company is not added to what another gets back.
    expect((await askApi(service.url, key, `file/${unnamed}`, { method: 'DELETE' })).status).toBe(200)
    await openSettings(page, 'Money')
    const open = page.getByRole('list', { name: 'To be written' }).getByRole('listitem')
    await expect(open).toHaveText([
      'Invoice to Bureau SARLWithout VAT$1.25',
      'Credit note for TEST-PAR-00001 to Alder Verlag19% VAT in it−$10.00',
    ])
  } finally {
    await service.remove()
  }
})
