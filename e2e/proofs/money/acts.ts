import fc from 'fast-check'
import type { Fault } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'

/** How an order names a quote: a valid one of its own, whichever it has, or one of another account. */
type Names = 'none' | 'own' | 'foreign'

/** What somebody does with an account, or what happens to it. Numbers choose among what is there. */
export type Act =
  | {
      act: 'order'
      tone: number
      isAutomated: boolean
      names: Names
      pick: number
      free: number | null
      twice: boolean
    }
  | { act: 'quote'; tones: number[]; isAutomated: boolean }
  | { act: 'sample'; quarters: number; progress: number; isAutomated: boolean }
  | { act: 'progress' | 'delete' | 'again'; pick: number; percent: number }
  | { act: 'card'; card: string }
  | { act: 'fault'; fault: Fault }
  | { act: 'dispute'; pick: number; share: number }
  | { act: 'rule'; pick: number; verdict: 'won' | 'lost' | 'warning_closed' }
  | { act: 'bank'; says: 'yes' | 'no' }
  | { act: 'discount'; percent: number }
  | { act: 'settings'; top: number; to: 'card' | 'balance' }
  | { act: 'budget'; more: number | null }
  | { act: 'tell'; event: string; pick: number }
  | { act: 'payout' | 'invoice' }

const pick = fc.nat(99)
const tone = fc.nat(2)
const cards = ['4242424242424242', '4242424242424242', '4000002760003184', '4000000000000259', '4000000000009995']
const faults: Fault[] = ['busy', 'fails', 'fails after taking', 'drops', 'drops after taking', 'nonsense', 'declines']
const events = ['payment_intent.succeeded', 'charge.dispute.created', 'charge.dispute.closed', 'charge.refunded']

const order = fc.record({
  act: fc.constant('order'),
  tone,
  isAutomated: fc.boolean(),
  names: fc.constantFrom('none', 'own', 'own', 'own', 'own', 'foreign'),
  pick,
  free: fc.option(fc.constantFrom(0, 2, 30.5, 60)),
  twice: fc.integer({ min: 0, max: 5 }).map((side) => side === 0),
})
const quote = fc.record({
  act: fc.constant('quote'),
  tones: fc.array(tone, { minLength: 1, maxLength: 2 }),
  isAutomated: fc.boolean(),
})
// In quarters of a minute: few lengths, each of which is measured once.
const quarters = fc.integer({ min: 1, max: 60 })
const progress = fc.integer({ min: 0, max: 100 })
const sample = fc.record({ act: fc.constant('sample'), quarters, progress, isAutomated: fc.boolean() })
const change = fc.record({
  act: fc.constantFrom('progress', 'delete', 'delete', 'again'),
  pick,
  percent: fc.integer({ min: 1, max: 99 }),
})
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 7, arbitrary: order },
  { weight: 3, arbitrary: quote },
  { weight: 5, arbitrary: sample },
  { weight: 5, arbitrary: change },
  fc.record({ act: fc.constant('card'), card: fc.constantFrom(...cards) }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('fault'), fault: fc.constantFrom(...faults) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('dispute'), pick, share: fc.integer({ min: 1, max: 100 }) }) },
  fc.record({ act: fc.constant('rule'), pick, verdict: fc.constantFrom('won', 'lost', 'warning_closed') }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('bank'), says: fc.constantFrom('yes', 'yes', 'no') }) },
  fc.record({ act: fc.constant('discount'), percent: fc.integer({ min: 0, max: 100 }) }),
  fc.record({
    act: fc.constant('settings'),
    top: fc.integer({ min: 500, max: 4_000 }),
    to: fc.constantFrom('card', 'balance'),
  }),
  fc.record({ act: fc.constant('budget'), more: fc.option(fc.integer({ min: 1, max: 3_000 })) }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('tell'), event: fc.constantFrom(...events), pick }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('payout', 'invoice') }) },
) as fc.Arbitrary<Act>

export const histories = (seed: number, count: number): Act[][] =>
  fc.sample(fc.array(act, { minLength: 4, maxLength: 18 }), { seed, numRuns: count })
