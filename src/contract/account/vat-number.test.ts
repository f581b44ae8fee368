import { expect, it } from 'vitest'
import { refuseReverseCharge } from './vat-number.ts'

it('reverse charge is for companies of another EU country than the seller', () => {
  expect(refuseReverseCharge('ATU12345678', 'DE 123 456 789')).toBe(null)
  expect(refuseReverseCharge('EL123456789', 'GB123456789')).toBe(null)
  expect(refuseReverseCharge('DE123456789', 'DE 123 456 789')).toMatch(/which is in DE, too/)
  expect(refuseReverseCharge('XI123456789', null)).toMatch(/and XI is none/)
  expect(refuseReverseCharge('ATU12345678', null)).toMatch(/which has no VAT number here/)
})
