import { afterEach, beforeEach, expect, test } from 'vitest'
import { LocalStripe } from '../orders/money/payment/stripe/testing/local-stripe.ts'
import { checkStripe } from './doctor-stripe.ts'

let stripe: LocalStripe
beforeEach(async () => {
  stripe = await new LocalStripe().listen()
})
afterEach(() => stripe.close())

test('doctor says whether Stripe takes the key, and whether its events are heard', async () => {
  expect(await checkStripe({ stripe: null })).toMatchObject([
    { ok: true, says: expect.stringMatching(/test cards pay/) },
  ])
  const says = async (more = {}) => (await checkStripe({ stripe: { ...stripe.config, ...more } }))[0]
  expect(await says()).toEqual({ check: 'stripe', ok: true, says: expect.stringMatching(/test mode: nobody pays/) })
  expect(await says({ webhookSecret: null })).toMatchObject({ ok: false, says: expect.stringMatching(/disputes/) })
  stripe.isRevoked = true
  expect(await says()).toMatchObject({ ok: false, says: expect.stringMatching(/refuses the key of this service/) })
})
