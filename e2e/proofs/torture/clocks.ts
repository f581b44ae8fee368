import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '../../../src/contract/common/durations.ts'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, newKey, newPayer, quiet, Tally } from './rounds.ts'

const rounds = unlessShort(20, 1)
const minuteMs = 60_000

/** A clock that jumps by hours, both ways, while orders wait and sandbox files expire. */
export const tortureClocks: Bench = async () => {
  const provider = await new LocalStripe().listen()
  const env = { ...quiet, ...provider.env }
  const service = await ServiceProcess.start(env, join(import.meta.dirname, 'tortured-service.ts'))
  const [paid, kept] = [new Tally('orders during a leap'), new Tally('sandbox files kept for 24 hours and no longer')]
  let offsetMs = 0
  const leap = async (byMs: number) => {
    offsetMs += byMs
    await writeFile(join(service.dataDir, 'clock'), String(offsetMs))
    process.kill(service.pid, 'SIGUSR2') // its chores
  }
  try {
    const live = await newPayer(service)
    const sandbox = await newKey(service, 'sandbox')
    const tone = await makeTone(1)
    for (let round = 0; round < rounds; round += 1) {
      const asked = provider.requests.length
      provider.faults = ['busy', 'busy'] // sent again after half a second and a second
      const order = askApi(service.url, live, 'files', { method: 'POST', body: fileForm(tone) })
      await comesTrue(() => provider.requests.length > asked, 30_000)
      await leap(round % 2 === 0 ? 3 * hourMs : -2 * hourMs)
      const answer = await order
      paid.count(answer.status === 201, `was answered ${answer.status}`)
      paid.count(provider.standing.size === round + 1, 'its charge was given up')
      // So that the next order charges the card again.
      await accountClient(service.url, live).read('POST', 'balance/payout')

      const { id } = await accountClient(service.url, sandbox).read<{ id: string }>('POST', 'tools/files', {
        seconds: 10,
        progress_percent: 100,
      })
      const status = async () => (await askApi(service.url, sandbox, `file/${id}`, { method: 'HEAD' })).status
      await leap(24 * hourMs - 2 * minuteMs)
      kept.count((await status()) === 200, `${id} went too early`)
      await leap(-2 * hourMs)
      kept.count((await status()) === 200, `${id} went when the clock went back`)
      await leap(2 * hourMs + 3 * minuteMs)
      const isGone = async () => !(await readdir(join(service.dataDir, 'blobs/files'))).includes(id)
      kept.count((await status()) === 404 && (await comesTrue(isGone, 15_000)), `${id} stayed`)
    }
    return [...paid.rows(), ...kept.rows()]
  } finally {
    await service.remove()
    await provider.close()
  }
}
