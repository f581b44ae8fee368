import { setTimeout as wait } from 'node:timers/promises'
import { type Choice, type Kinds, newWord, pick, type Step } from './choice.ts'
import { patienceMs } from './device.ts'
import { readLedger, sumCents } from './ledger.ts'
import type { World } from './world.ts'

/** Orders and deletions: what a button or a dialog says is what the ledger has, to the cent. */
export const moneyActs: Kinds = {
  order: ({ world, seat, act }: Choice): Step => {
    if (world.orders.length >= 4) return null
    const names = Array.from({ length: 1 + (act.a % 2) }, () => newWord(world))
    const seconds = 1 + ((act.b * 7 + act.c) % 300)
    const type = pick(['Automated', 'Manual'] as const, act.c)
    return {
      say: `orders ${names.join(' and ')}, ${seconds} s each, ${type}`,
      run: async () => {
        // Other lengths, since recordings of the same content are one.
        const recordings = names.map((name, at) => ({ name: `${name}.wav`, buffer: toneWav(seconds + at, at) }))
        const shown = await seat.device.orders.order(recordings, type)
        const charges = await readCharges(world, names)
        if (charges.reduce((sum, cents) => sum + cents, 0) !== shown) {
          throw new Error(`The button said ${shown} cents, charged were ${charges.join(' + ')}.`)
        }
        world.orders.push(...names.map((name, at) => ({ name, cents: charges[at] ?? 0 })))
        world.cents += shown
        await seat.device.openFiles('link')
        Object.assign(seat, { at: 'files', past: [], future: [] })
      },
    }
  },

  deleteOrder: ({ world, seat, act }: Choice): Step => {
    const order = pick(world.orders, act.a)
    if (seat.at !== 'files' || order === undefined) return null
    return {
      say: `deletes ${order.name}`,
      run: async () => {
        const refund = await seat.device.orders.delete(order.name)
        if (refund !== order.cents) throw new Error(`The dialog refunds ${refund} of ${order.cents} cents, at 0 %.`)
        world.cents -= refund
        world.orders = world.orders.filter((one) => one !== order)
      },
    }
  },
}

/** Waits until each of the recordings is charged. @returns their charges, in the same order */
async function readCharges(world: World, names: readonly string[]): Promise<number[]> {
  for (const endMs = performance.now() + patienceMs; ; await wait(100)) {
    const ledger = await readLedger(world.client)
    const charges = names.map((name) => ledger.filter(({ file_name }) => file_name.startsWith(name)))
    if (charges.every((one) => one.length > 0) || performance.now() > endMs) return charges.map(sumCents)
  }
}

/** Mono, 8 bits, 8 kHz: a tone, so that nobody takes it for silence. */
function toneWav(seconds: number, variant: number): Buffer {
  const samples = seconds * 8_000
  const wav = Buffer.alloc(44 + samples)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8_000, 24)
  wav.writeUInt32LE(8_000, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at += 1) wav[44 + at] = 128 + Math.round(90 * Math.sin(at / (3 + variant)))
  return wav
}
