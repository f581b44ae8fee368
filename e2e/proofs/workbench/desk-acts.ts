import { strict as assert } from 'node:assert'
import type { KeptCorrections } from '../../../src/contract/account/corrections.ts'
import type { ManagedPart } from '../../../src/contract/work/managers.ts'
import { type Claim, returnReasons, reworkReasons } from '../../../src/contract/work/parts.ts'
import { openDesk, type, withClaim } from '../../../src/service/workbench/testing/work-room.ts'
import { type Act, any, chance, heldClaims, tell } from './choice.ts'
import { endClaim, holdMs, longestHoldMs, type ModelClaim, mayTake, type Person, type Piece, payFor } from './model.ts'
import type { World } from './world.ts'

/* What staff do at their desks, and what the service must answer. */

const takes: Act = async (world) => {
  const { now, people } = world
  const person = world.random.any(world.staff)
  const piece = chance(world, 0.6) ? null : any(world, world.pieces)
  const may = world.pieces.filter((each) => mayTake(each, person, people, now))
  const answer = await person.worker.ask('POST', 'claims', { part: piece?.id ?? null })
  const isGranted = piece === null ? may.length > 0 : may.includes(piece)
  if (!isGranted) {
    assert([403, 404, 409].includes(answer.status), `${person.name} took ${piece?.id ?? 'a part'}: ${answer.status}`)
    return `${person.name} may not take ${piece?.id ?? 'anything'}`
  }
  assert.equal(answer.status, 201, `${person.name} may take ${piece?.id ?? 'a part'}: ${await answer.clone().text()}`)
  const taken = (await answer.json()) as Claim
  const given = may.find(({ id }) => id === taken.part)
  assert(given !== undefined, `${person.name} was given ${taken.part}, which they may not take`)
  await holdPiece(given, person, now)
  assert.equal(taken.claim, given.claims.length)
  return `${person.name} takes ${given.id} to ${given.step}`
}

/** Records a claim; its holder's page reads the revision of the text. */
async function holdPiece(piece: Piece, person: Person, now: number): Promise<void> {
  const last = piece.claims.at(-1)
  if (last?.ending === null) endClaim(last, 'expired', now)
  const { step } = piece
  const figures = { verdict: null, cents: 0, heard: 0, changed: 0, saves: 0, ending: null }
  const number = piece.claims.length + 1
  piece.claims.push({ piece, person, step: step ?? 'check', number, claimedAt: now, until: now + holdMs, ...figures })
  const path = `parts/${piece.id}/corrections`
  const { revision } = await person.worker.read<KeptCorrections>('GET', path, undefined, withClaim({ claim: number }))
  piece.revision = revision
}

/** Everybody at once: one gets it. */
const race: Act = async (world) => {
  const { now, people } = world
  const piece = any(
    world,
    world.pieces.filter((each) => people.some((person) => mayTake(each, person, people, now))),
  )
  if (piece === null) return null
  const able = people.filter((person) => mayTake(piece, person, people, now))
  const answers = await Promise.all(able.map(({ worker }) => worker.ask('POST', 'claims', { part: piece.id })))
  const winners = able.filter((_, index) => answers[index]?.status === 201)
  assert.equal(winners.length, 1, `${winners.length} of ${able.length} took ${piece.id} at once`)
  await holdPiece(piece, winners[0] as Person, now)
  return `${able.length} ask for ${piece.id} at once, ${winners[0]?.name} gets it`
}

/** Types over words that nobody has typed yet; sometimes in a second tab, which does not know of the first. */
const types: Act = async (world) => {
  const claim = any(world, heldClaims(world))
  if (claim === null) return null
  const { piece, person } = claim
  const isTyped = (index: number) => piece.words[index]?.startsWith('Word') === false
  const count = Math.floor(world.random.between(1, 6))
  const from = Math.floor(world.random.between(1, piece.words.length - count - 1))
  const around = Array.from({ length: count + 2 }, (_, index) => from - 1 + index)
  if (around.some(isTyped)) return null
  const words = Array.from({ length: count }, () => world.newWord())
  const held = { part: piece.id, claim: claim.number, held_until: '' }
  const isStale = piece.revision > 0 && chance(world, 0.2)
  const answer = await type(person.worker, held, from, from + count, words, piece.revision - (isStale ? 1 : 0))
  if (isStale) {
    assert.equal(answer.status, 412, 'a second tab saved over the first')
    return `${tell(claim)}: a second tab saves without the words of the first`
  }
  assert.equal(answer.status, 200, await answer.clone().text())
  piece.words.splice(from, count, ...words)
  piece.revision += 1
  claim.saves += 1
  return `${tell(claim)}: types ${count} words from ${from}`
}

const hears: Act = async (world) => {
  const claim = any(world, heldClaims(world))
  if (claim === null) return null
  const { piece, person, number } = claim
  const [start, end] = piece.seconds
  const isAll = chance(world, 0.5)
  const from = isAll ? start : Math.floor(world.random.between(start, end))
  const to = isAll ? end : Math.floor(world.random.between(from, end))
  const answer = await person.worker.ask(
    'POST',
    `parts/${piece.id}/hold`,
    { heard: [[from, to]] },
    withClaim({ claim: number }),
  )
  assert.equal(answer.status, 200, await answer.clone().text())
  if (from < to) piece.hear(from, to)
  claim.until = Math.min(world.now + holdMs, claim.claimedAt + longestHoldMs)
  return `${tell(claim)}: hears ${from} to ${to}`
}

const returns: Act = async (world) => {
  const claim = any(world, heldClaims(world))
  if (claim === null) return null
  const reason = world.random.any(Object.keys(returnReasons))
  const { piece, person, number } = claim
  await person.worker.read('POST', `parts/${piece.id}/return`, { reason }, withClaim({ claim: number }))
  endClaim(claim, 'returned', world.now)
  piece.assigned = null
  return `${tell(claim)}: gives it back`
}

/** Closes a claim with what its step came to. */
function record(claim: ModelClaim, ending: 'submitted' | 'sent-back'): void {
  const { piece, person, step } = claim
  const verdict = piece.isOdd ? ('waiting' as const) : null
  const figures = { heard: piece.heardShare, changed: piece.changedWords, cents: payFor(piece, step, person) }
  Object.assign(claim, { ending, verdict, ...figures })
}

const finishes: Act = async (world) => {
  const claim = any(world, heldClaims(world))
  if (claim === null) return null
  const { piece, person, number } = claim
  const [isTwice, hasReason] = [chance(world, 0.2), chance(world, 0.5)]
  const { sheet } = await openDesk(person.worker, { part: piece.id, claim: number, held_until: '' })
  const reason = hasReason ? { reason: 'It is only noise' } : {}
  const done = { revision: piece.revision, ticked: sheet.map(({ id }) => id), ...reason }
  const submit = () => person.worker.ask('POST', `parts/${piece.id}/submit`, done, withClaim({ claim: number }))
  const answers = await Promise.all(isTwice ? [submit(), submit()] : [submit()])
  const done204 = answers.filter(({ status }) => status === 204).length
  if (piece.coveredShare < 0.95 && !hasReason) {
    assert.equal(done204, 0, `${Math.round(100 * piece.coveredShare)} % was heard, and nobody asked why`)
    return `${tell(claim)}: is asked for a reason`
  }
  assert.equal(done204, 1, `${answers.map(({ status }) => status)}: ${await answers[0]?.clone().text()}`)
  record(claim, 'submitted')
  await moveOn(world, piece)
  return `${tell(claim)}: finishes to ${claim.step}, ${claim.verdict ?? 'not odd'}${isTwice ? ', twice at once' : ''}`
}

async function moveOn(world: World, piece: Piece): Promise<void> {
  const { order, step, reached } = piece
  const next = {
    type: { step: 'review', reached: Math.max(reached, 1), heard: [] },
    review: { step: null, reached: Math.max(reached, 2) },
    check: { step: null, reached: reached >= 3 ? 4 : 2 },
  }
  Object.assign(piece, next[step ?? 'check'], { assigned: null, before: [...piece.words], shown: [...piece.words] })
  if (piece.position > 0 && order.pieces.every((each) => each.step === null)) {
    const path = `files/${order.id}`
    const { parts } = await world.manager.worker.read<{ parts: ManagedPart[] }>('GET', path)
    order.openCheck(parts.find(({ position }) => position === 0)?.id ?? '')
  }
  order.deliverIfDone()
}

/** By a reviewer or checker who holds it, or by a manager. */
const sendsBack: Act = async (world) => {
  const order = any(world, world.orders)
  const piece = any(world, order?.pieces ?? [])
  if (order === null || piece === null) return null
  const holders = [piece, order.whole].flatMap((each) => each?.holder(world.now) ?? [])
  const claim = chance(world, 0.7) ? any(world, holders) : null
  const { worker, role } = claim?.person ?? world.random.any(world.staff)
  const headers = claim === null ? {} : withClaim({ claim: claim.number })
  const body = { reasons: [world.random.any(Object.keys(reworkReasons))], note: 'Again' }
  const { status } = await worker.ask('POST', `parts/${piece.id}/reopen`, body, headers)
  const isMine = claim !== null && claim.step !== 'type'
  const may = order.state === 'open' && piece.step !== 'type' && (role === 'manager' || isMine)
  assert.equal(status, may ? 204 : status === 204 ? 0 : status, `${piece.id} was sent back`)
  if (!may) return `${piece.id} cannot be sent back`
  if (isMine) record(claim, 'sent-back')
  order.stepBack(piece, 'type', world.now)
  return `${piece.id} is sent back by ${claim === null ? role : tell(claim)}`
}

const decides: Act = async (world) => {
  const waiting = world.pieces.flatMap(({ claims }) => claims.filter(({ verdict }) => verdict === 'waiting'))
  const claim = any(world, waiting)
  if (claim === null) return null
  const accepted = chance(world, 0.5)
  const { piece, number, step, person } = claim
  const path = `parts/${piece.id}/claims/${number}/decide`
  const managers = world.staff.filter(({ role }) => role === 'manager')
  const manager = world.random.any(managers)
  const sent = await Promise.all([0, 1].map(() => manager.worker.ask('POST', path, { accepted })))
  if (manager === person && managers.length > 1) {
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [409], 'decided about their own step')
    return `${tell(claim)}: is not theirs to decide`
  }
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [204, 409], 'decided twice at once')
  Object.assign(claim, { cents: 0, verdict: accepted ? 'accepted' : 'refused' })
  if (accepted) claim.cents = payFor(piece, step, person)
  else if (claim.ending === 'submitted') doAgain(claim, world.now)
  piece.order.deliverIfDone()
  return `${tell(claim)}: to ${step} is ${accepted ? 'accepted' : 'refused'}`
}

/** A refused step is done again, unless it was, or the part is back at it or before. */
function doAgain({ piece, step, number }: ModelClaim, now: number): void {
  const { order } = piece
  const isDone = piece.claims.some(
    (later) => later.number > number && later.step === step && later.ending === 'submitted',
  )
  const isLater = piece.step === null || (step === 'type' && piece.step === 'review')
  const isClosed = step === 'check' && order.pieces.some((each) => each.step !== null)
  if (order.state === 'open' && !isDone && isLater && !isClosed) order.stepBack(piece, step, now)
}

/** Everything, and what people do most. */
export const deskActs: readonly Act[] = [takes, race, types, hears, returns, finishes, sendsBack, decides]
export const commonActs: readonly Act[] = [takes, types, types, hears, finishes, decides]
