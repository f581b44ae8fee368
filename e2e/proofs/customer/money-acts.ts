import { asWav } from '../../../src/service/recognition/engines/http.ts'
import { comesTrue } from '../torture/rounds.ts'
import { type Choice, type Kinds, newWord, pick, type Step } from './choice.ts'
import { patienceMs } from './device.ts'
import { findOrder, readLedger, type Sound, sumCents } from './ledger.ts'
import type { World } from './world.ts'

/** Orders and deletions: what a button or a dialog says is what the ledger has, to the cent. */
export const moneyActs: Kinds = {
  order: ({ world, seat, act }: Choice): Step => {
    if (world.orders.length >= 4) return null
    const names = Array.from({ length: 1 + (act.a % 2) }, () => newWord(world))
    const seconds = 1 + ((act.b * 7 + act.c) % 300)
    const type = pick(['Automated', 'Manual'] as const, act.c)
    const project = pick([null, 'Field work'], act.b)
    // Other lengths, since recordings of the same content are one.
    const sounds = names.map((_, variant): Sound => ({ seconds: seconds + variant, variant }))
    const isHad = ({ sound }: { sound: Sound }) => sounds.some((one) => isSame(one, sound))
    if (world.orders.some(isHad)) return null
    // Dropped once more under another name, it is left out.
    const again = act.a % 3 === 0 ? world.orders.at(-1) : undefined
    const also =
      again === undefined ? '' : `drops ${again.name} once more${act.b % 2 === 0 ? ', also after a reload,' : ''} and `
    return {
      say: `${also}orders ${names.join(' and ')}, ${seconds} s each, ${type}, into ${project ?? 'no project'}`,
      run: async () => {
        const doubles = again === undefined ? [] : [{ name: 'Again.wav', buffer: toneWav(again.sound) }]
        const recordings = names.map((name, at) => ({ name: `${name}.wav`, buffer: toneWav(sounds[at] as Sound) }))
        const shown = await seat.device.orders.order(recordings, type, project, doubles, act.b % 2 === 0)
        const charges = await readCharges(world, names)
        if (charges.reduce((sum, cents) => sum + cents, 0) !== shown.price) {
          throw new Error(`The button said ${shown.price} cents, charged were ${charges.join(' + ')}.`)
        }
        const had = world.money.balance_cents
        if (shown.balance !== had) throw new Error(`The page said a balance of ${shown.balance} cents, it was ${had}.`)
        for (const [at, name] of names.entries()) {
          world.orders.push({
            name,
            cents: charges[at] ?? 0,
            project,
            sound: sounds[at] as Sound,
            percent: 0,
            rules: world.newRules,
          })
        }
        world.cents += shown.price
        world.money = { ...world.money, balance_cents: shown.balanceAfter }
        await seat.device.openFiles('link')
        Object.assign(seat, { at: 'files', past: [], future: [] })
      },
    }
  },

  deleteOrder: ({ world, seat, act }: Choice): Step => {
    const order = pick(world.orders, act.a)
    if (order === undefined) return null
    // The spec: the refund is in proportion to what is not done.
    const wanted = Math.round((order.cents * (100 - order.percent)) / 100)
    return {
      say: `deletes ${order.name}, of which ${order.percent} % is done`,
      run: async () => {
        if (seat.at !== 'files') await seat.device.openFiles('link')
        Object.assign(seat, { at: 'files', past: [], future: [] })
        const { cents, to } = await seat.device.orders.delete(order.name, order.percent)
        if (cents !== wanted) throw new Error(`The dialog refunds ${cents} of ${order.cents} cents, not ${wanted}.`)
        if (to !== world.money.refunds_to) throw new Error(`The dialog refunds to the ${to}, which was not chosen.`)
        world.cents -= cents
        const key = to === 'balance' ? 'balance_cents' : 'due_cents'
        world.money = { ...world.money, [key]: world.money[key] + cents }
        world.orders = world.orders.filter((one) => one !== order)
      },
    }
  },

  /** Never so far that it is locked. */
  progress: ({ world, act }: Choice): Step => {
    const order = pick(world.orders, act.a)
    const percent = 1 + (act.b % 59)
    if (order === undefined || percent <= order.percent) return null
    return {
      say: `is told that ${percent} % of ${order.name} is done`,
      run: async () => {
        const id = await findOrder(world.client, order.name)
        await world.client.read('POST', `tools/files/${id}/progress`, { progress_percent: percent })
        order.percent = percent
      },
    }
  },

  chooseRefunds: ({ world, act }: Choice): Step => {
    const refunds_to = pick(['card', 'balance'] as const, act.a)
    if (refunds_to === world.money.refunds_to) return null
    return {
      say: `has refunds go to the ${refunds_to}, by API`,
      run: async () => {
        await world.client.read('PATCH', 'balance', { refunds_to })
        world.money = { ...world.money, refunds_to }
      },
    }
  },
}

/** Waits until each of the recordings is charged. @returns their charges, in the same order */
async function readCharges(world: World, names: readonly string[]): Promise<number[]> {
  const read = async () => {
    const ledger = await readLedger(world.client)
    return names.map((name) => ledger.filter(({ file_name }) => file_name.startsWith(name)))
  }
  await comesTrue(async () => (await read()).every((one) => one.length > 0), patienceMs)
  return (await read()).map(sumCents)
}

const isSame = (one: Sound, other: Sound) => one.seconds === other.seconds && one.variant === other.variant

/** A tone of 16 kHz, so that nobody takes it for silence. */
function toneWav({ seconds, variant }: Sound): Buffer {
  return Buffer.from(
    asWav(Int16Array.from({ length: seconds * 16_000 }, (_, at) => 9_000 * Math.sin(at / (3 + variant)))),
  )
}
