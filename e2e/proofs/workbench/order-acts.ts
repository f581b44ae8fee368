import { strict as assert } from 'node:assert'
import { revokeStaff } from '../../../src/service/workbench/staff.ts'
import { withClaim } from '../../../src/service/workbench/testing/work-room.ts'
import { type Act, any, chance, tell } from './choice.ts'
import { endClaim, mayTake, type Order, type Person, type Piece } from './model.ts'
import type { World } from './world.ts'

/* What happens to orders and people beside the work itself, and what the service must answer. */

const lateClaim: Act = async (world) => {
  const ended = world.pieces.flatMap(({ claims }) => claims.filter((claim) => claim !== claim.piece.holder(world.now)))
  const claim = any(world, ended)
  if (claim === null) return null
  const headers = withClaim({ claim: claim.number })
  const { id } = claim.piece
  const tries = [
    ['hold', { heard: [claim.piece.seconds] }],
    ['submit', { revision: claim.piece.revision, ticked: [], reason: 'It is only noise' }],
    ['return', { reason: 'other' }],
  ] as const
  const [path, body] = world.random.any(tries)
  const { status } = await claim.person.worker.ask('POST', `parts/${id}/${path}`, body, headers)
  const ways = claim.person.isRevoked ? [401] : [404, 409, 410]
  assert(ways.includes(status), `${tell(claim)}, which has ended, may ${path}: ${status}`)
  return `${tell(claim)}: has ended, ${path} is refused`
}

const orders: Act = async (world) => {
  if (world.orders.filter(({ isWorkedOn }) => isWorkedOn).length >= 3) return null
  const order = await world.order(chance(world, 0.3) ? 460 : 60)
  return `an order of ${order.pieces.length} parts, ${order.id}`
}

const deletes: Act = async (world) => {
  const order: Order | null = any(
    world,
    world.orders.filter(({ state }) => state !== 'deleted'),
  )
  if (order === null) return null
  const { progress } = order
  const { ok } = await world.kit.fetch(world.account.key, `file/${order.id}`, { method: 'DELETE' })
  const isLocked = order.state === 'open' && progress >= 60
  assert.equal(ok, !isLocked, `deleted at ${progress} %`)
  if (isLocked) return `${order.id} cannot be deleted at ${progress} %`
  if (order.state === 'open') order.refunded = Math.floor((order.cents * (100 - progress)) / 100 + 0.5)
  order.state = 'deleted'
  return `${order.id} is deleted at ${progress} %`
}

const refunds: Act = async (world) => {
  const order = any(world, world.orders)
  if (order === null) return null
  const { status } = await world.manager.worker.ask('POST', `files/${order.id}/refund`, { reason: 'Only noise.' })
  const may = order.state === 'open'
  assert.equal(status, may ? 204 : order.state === 'deleted' ? 404 : 409, `refunded while ${order.state}`)
  if (!may) return `${order.id} cannot be refunded`
  for (const piece of order.all) {
    const claim = piece.holder(world.now)
    if (claim !== null) endClaim(claim, 'taken', world.now)
    Object.assign(piece, { step: null, assigned: null })
  }
  Object.assign(order, { state: 'given up', refunded: order.cents })
  return `${order.id} is given up and refunded`
}

const delays: Act = async (world) => {
  const order = any(world, world.orders)
  if (order === null) return null
  const until = new Date(world.now + world.random.between(1, 99) * 3_600_000).toISOString()
  const { status } = await world.manager.worker.ask('POST', `files/${order.id}/delay`, { reason: 'poor-audio', until })
  const may = order.state === 'open'
  assert.equal(status, may ? 204 : order.state === 'deleted' ? 404 : 409, `put off while ${order.state}`)
  if (!may) return `${order.id} cannot be put off`
  const { delivery, delay_reason } = await world.kit.metadata(world.account.key, order.id)
  assert.equal(Date.parse(delivery), Date.parse(until))
  assert.equal(typeof delay_reason, 'string')
  return `${order.id} is put off`
}

/** The customer asks for all of a delivered order once more, which may be done once. */
const asksAgain: Act = async (world) => {
  const order = any(
    world,
    world.orders.filter(({ state }) => state === 'open' || state === 'delivered'),
  )
  if (order === null) return null
  const { whole } = order
  // Readers know a text by when it was ready: this clock stands still else.
  world.kit.advance(1_000)
  const places = [{ start: 0, end: whole?.seconds[1] ?? 1, note: 'All of it' }]
  const { status } = await world.client.ask('POST', `files/${order.id}/re-review`, { places })
  const may = order.state === 'delivered' && whole?.reached === 3 && whole.step === null
  assert.equal(status, may ? 204 : 409, `a re-review of ${order.id}, ${order.state}`)
  if (!may || whole === null) return `${order.id} cannot be reviewed once more`
  order.reReview(whole)
  return `${order.id} is to be reviewed once more`
}

const assigns: Act = async (world) => {
  const piece = any(
    world,
    world.pieces.filter(({ order }) => order.isWorkedOn),
  )
  if (piece === null) return null
  const person = chance(world, 0.3) ? null : world.random.any(world.staff)
  const held = piece.holder(world.now)
  const { status } = await world.manager.worker.ask('POST', `parts/${piece.id}/assign`, {
    staff: person?.worker.id ?? null,
  })
  const may = piece.step !== null && (person === null || mayDo(world, piece, person))
  assert.equal(status, may ? 204 : 409, `${piece.id} was given to ${person?.name}`)
  if (!may) return `${piece.id} cannot be given to ${person?.name}`
  if (held !== null && held.person !== person) endClaim(held, 'taken', world.now)
  piece.assigned = person
  return `${piece.id} is given to ${person?.name ?? 'anybody'}`
}

/** Whether somebody could take a part if it were free and theirs: else it would wait for ever. */
function mayDo({ people, now }: World, piece: Piece, person: Person): boolean {
  const [assigned, holder] = [piece.assigned, piece.holder]
  Object.assign(piece, { assigned: person, holder: () => null })
  const may = mayTake(piece, person, people, now)
  Object.assign(piece, { assigned, holder })
  return may
}

const revokes: Act = async (world) => {
  const person = world.random.any(world.staff)
  await revokeStaff(world.kit.platform.db, person.worker.id, world.now)
  person.isRevoked = true
  for (const piece of world.pieces) {
    const held = piece.holder(world.now)
    if (held?.person === person) held.until = world.now
    if (piece.assigned === person) piece.assigned = null
  }
  assert.equal((await person.worker.ask('GET', 'queue')).status, 401)
  const next = await world.hire(person.role)
  return `${person.name} is revoked, ${next.name} comes`
}

const waits: Act = async (world) => {
  if (world.now > Date.UTC(2026, 10, 29)) return null
  const minutes = world.random.any([1, 1, 4, 4, 16, 120])
  world.kit.advance(minutes * 60_000)
  if (chance(world, 0.3)) await world.kit.doChores()
  return `${minutes} minutes pass`
}

const restarts: Act = async (world) => {
  if (!chance(world, 0.2)) return null
  await world.kit.restart()
  return 'the service starts again'
}

export const orderActs: readonly Act[] = [
  lateClaim,
  orders,
  orders,
  deletes,
  refunds,
  delays,
  asksAgain,
  assigns,
  revokes,
  waits,
  waits,
  restarts,
]
