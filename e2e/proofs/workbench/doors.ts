import { strict as assert } from 'node:assert'
import type { FileWork } from '../../../src/contract/account/manual-work.ts'
import type { ManagedFiles, ManagedPart, PayMonth, StaffMember } from '../../../src/contract/work/managers.ts'
import type { QueuePage } from '../../../src/contract/work/parts.ts'
import type { StaffOverview } from '../../../src/contract/work/staff.ts'
import { checkWork } from '../../../src/service/operations/doctor-work.ts'
import { comesTrue } from '../torture/rounds.ts'
import { type ModelClaim, mayTake, type Order, type Person } from './model.ts'
import type { World } from './world.ts'

/* What every door says, compared with the model. */

const deliveredWithinMs = 30_000

const count = <Value>(values: readonly Value[], isSo: (value: Value) => boolean) => values.filter(isSo).length

/** The customer's metadata, work in progress and transcript. */
async function compareForCustomer({ kit, account, client, now }: World, order: Order): Promise<void> {
  const ask = () => kit.fetch(account.key, `file/${order.id}`, { method: 'HEAD' })
  if (order.state === 'deleted') return assert.equal((await ask()).status, 404, `${order.id} is deleted`)
  const { progress, pieces, whole } = order
  const percent = async () => (await kit.metadata(account.key, order.id)).progress_percent
  if (order.state === 'delivered') await comesTrue(async () => (await percent()) === 100, deliveredWithinMs)
  const { progress_percent, refund_amount } = await kit.metadata(account.key, order.id)
  assert.equal(progress_percent, progress, `progress of ${order.id}`)
  assert.equal(Math.round(100 * Number(refund_amount)), order.refunded, `refund of ${order.id}`)
  const seen = await client.read<FileWork>('GET', `files/${order.id}/work`)
  assert.deepEqual(
    [seen.parts, seen.typed, seen.reviewed, seen.is_checked],
    [
      pieces.length,
      count(pieces, ({ reached }) => reached >= 1),
      count(pieces, ({ reached }) => reached >= 2),
      order.state === 'delivered',
    ],
    `work in progress of ${order.id}`,
  )
  for (const [index, { reached, shown, holder }] of pieces.entries()) {
    const words = seen.sections[index]?.words.map(({ word }) => word)
    assert.deepEqual(words, reached === 0 ? [] : shown, `text in progress of part ${index + 1} of ${order.id}`)
    if (reached === 0)
      assert.equal(seen.sections[index]?.state, holder.call(pieces[index], now) === null ? 'waiting' : 'typing')
  }
  if (order.state !== 'delivered') return
  const read = async () => {
    const words = await (await kit.fetch(account.key, `file/${order.id}.json`)).json()
    return (words as { word: string }[]).map(({ word }) => word).join(' ')
  }
  const wanted = whole?.shown.join(' ')
  await comesTrue(async () => (await read()) === wanted, deliveredWithinMs)
  assert.equal(await read(), wanted, `transcript of ${order.id}`)
}

async function compareLedger({ client, orders }: World): Promise<void> {
  const { entries } = await client.read<{ entries: { amount_cents: number }[] }>('GET', 'ledger?limit=500')
  const sum = entries.reduce((cents, { amount_cents }) => cents + amount_cents, 0)
  assert.equal(
    sum,
    orders.reduce((cents, order) => cents + order.cents - order.refunded, 0),
    'the ledger',
  )
}

/** Managers' lists: orders, and the parts of each with their books. */
async function compareForManagers({ manager, orders, now }: World): Promise<void> {
  const { files } = await manager.worker.read<ManagedFiles>('GET', 'files')
  const worked = orders.filter(({ isWorkedOn }) => isWorkedOn)
  assert.deepEqual(files.map(({ id }) => id).toSorted(), worked.map(({ id }) => id).toSorted(), 'orders of managers')
  for (const { id, pieces, whole, all } of worked) {
    const row = files.find((file) => file.id === id)
    const claims = all.flatMap((piece) => piece.claims)
    assert.deepEqual(
      [row?.typed, row?.reviewed, row?.held, row?.to_decide, row?.is_checked],
      [
        count(pieces, ({ reached }) => reached >= 1),
        count(pieces, ({ reached }) => reached >= 2),
        count(all, (piece) => piece.holder(now) !== null),
        count(claims, ({ verdict }) => verdict === 'waiting'),
        whole?.step === null && whole.reached >= 2,
      ],
      `managers' row of ${id}`,
    )
  }
  for (const order of orders.filter(({ state }) => state !== 'deleted')) {
    const { parts } = await manager.worker.read<{ parts: ManagedPart[] }>('GET', `files/${order.id}`)
    for (const piece of order.all) {
      const part = parts.find(({ id }) => id === piece.id)
      const holder = piece.holder(now)?.person.worker.id ?? null
      assert.deepEqual(
        [part?.step, part?.holder, part?.assigned_to],
        [piece.step, holder, piece.assigned?.worker.id ?? null],
        piece.id,
      )
      const books = part?.history.map(({ claim, step, staff, end, verdict, pay }) => [
        claim,
        step,
        staff,
        end,
        verdict,
        pay,
      ])
      assert.deepEqual(
        books,
        piece.claims.map((claim) => bookOf(claim, now)),
        `books of ${piece.id}`,
      )
    }
  }
}

function bookOf({ number, step, person, ending, verdict, cents, until }: ModelClaim, now: number) {
  const end = ending ?? (until > now ? null : 'expired')
  const pay = ending === 'submitted' || ending === 'sent-back' ? `EUR ${(cents / 100).toFixed(2)}` : null
  return [number, step, person.worker.id, end, verdict, pay]
}

/** What somebody did and earned. */
function earnings({ pieces }: World, person: Person) {
  const mine = pieces.flatMap(({ claims }) => claims.filter((claim) => claim.person === person))
  const done = mine.filter(({ ending }) => ending === 'submitted' || ending === 'sent-back')
  const payable = done.filter(({ verdict }) => verdict === null || verdict === 'accepted')
  const sum = (claims: readonly ModelClaim[]) => claims.reduce((cents, claim) => cents + claim.cents, 0)
  // A step of a part is paid once, however often it was done and waits.
  const steps = Map.groupBy(done, ({ piece, step }) => `${piece.id} ${step}`)
  const waiting = [...steps.values()].map((ofStep) => {
    const isPaid = ofStep.some((claim) => payable.includes(claim) && claim.cents > 0)
    const cents = ofStep.flatMap((claim) => (claim.verdict === 'waiting' ? [claim.cents] : []))
    return isPaid ? 0 : Math.max(0, ...cents)
  })
  return { mine, done, payable, earned: sum(payable), waiting: waiting.reduce((all, each) => all + each, 0) }
}

async function comparePay(world: World): Promise<void> {
  const { people } = await world.manager.worker.read<PayMonth>('GET', 'pay')
  const { staff } = await world.manager.worker.read<{ staff: StaffMember[] }>('GET', 'staff')
  for (const person of world.people) {
    const { done, payable, earned, waiting } = earnings(world, person)
    const row = people.find(({ id }) => id === person.worker.id)
    const steps = (['type', 'review', 'check'] as const).map((step) => count(payable, (claim) => claim.step === step))
    assert.deepEqual(
      [
        row?.earned ?? 0,
        row?.waiting ?? 0,
        row?.typed ?? 0,
        row?.reviewed ?? 0,
        row?.checked ?? 0,
        row?.sent_back ?? 0,
      ],
      [earned, waiting, ...steps, count(payable, ({ ending }) => ending === 'sent-back')],
      `the month of ${person.name}`,
    )
    if (person.isRevoked) continue
    const member = staff.find(({ id }) => id === person.worker.id)
    assert.deepEqual(
      [member?.earned, member?.submitted, member?.sent_back, member?.holds],
      [
        `EUR ${(earned / 100).toFixed(2)}`,
        count(done, ({ ending }) => ending === 'submitted'),
        count(done, ({ ending }) => ending === 'sent-back'),
        count(world.pieces, (piece) => piece.holder(world.now)?.person === person),
      ],
      `figures of ${person.name}`,
    )
  }
}

/** Somebody's own page: what they hold and may take. */
async function compareForStaff(world: World, person: Person): Promise<void> {
  const { now, pieces, people } = world
  const { held } = await person.worker.read<StaffOverview>('GET', '')
  const mine = pieces.filter((piece) => piece.holder(now)?.person === person)
  assert.deepEqual(held.map(({ part }) => part).toSorted(), mine.map(({ id }) => id).toSorted(), `${person.name} holds`)
  const { parts } = await person.worker.read<QueuePage>('GET', 'queue?limit=200')
  const may = pieces.filter((piece) => mayTake(piece, person, people, now))
  assert.deepEqual(parts.map(({ id }) => id).toSorted(), may.map(({ id }) => id).toSorted(), `queue of ${person.name}`)
}

/** Metrics and `doctor`. */
async function compareForOperator({ kit, orders, pieces, now, staff }: World): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${kit.metricsPort}/metrics`)).text()
  const figure = (line: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    )
  const open = pieces.filter(({ order, step }) => order.isWorkedOn && step !== null)
  for (const step of ['type', 'review', 'check'] as const) {
    const waiting = count(open, (piece) => piece.step === step && piece.holder(now) === null)
    assert.equal(figure(`parley_work_parts{step="${step}",state="waiting"}`), waiting, `metrics: waiting to ${step}`)
  }
  const odd = count(
    pieces.flatMap(({ claims }) => claims),
    ({ verdict }) => verdict === 'waiting',
  )
  assert.equal(figure('parley_work_steps_to_decide'), odd, 'metrics: odd steps')
  const [people, inProgress] = await checkWork(kit.platform.config, now)
  assert(
    inProgress?.says.startsWith(`${count(orders, ({ state }) => state === 'open')} live in progress`),
    inProgress?.says,
  )
  const typists = count(staff, ({ role }) => role === 'typist')
  assert(people?.says.startsWith(`${typists} typists`), people?.says)
  assert.equal(Number(/(\d+) odd steps? wait/.exec(people?.says ?? '')?.[1] ?? 0), odd, people?.says)
}

/** Compares every door with the model. */
export async function compare(world: World): Promise<void> {
  for (const order of world.orders) await compareForCustomer(world, order)
  await compareLedger(world)
  await compareForManagers(world)
  await comparePay(world)
  await compareForStaff(world, world.random.any(world.staff))
  await compareForOperator(world)
  const errors = world.kit.loggedErrors.splice(0)
  assert.deepEqual(errors, [], 'errors in the log')
}
