import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, longest, newPayer, quiet, Tally, timed } from './rounds.ts'

const rounds = unlessShort(5, 1)

/** A payment provider that accepts requests and never responds: startup, shutdown and everybody's reads still work. */
export const tortureProvider: Bench = async () => {
  const provider = await new LocalStripe().listen()
  const service = await ServiceProcess.start({ ...quiet, ...provider.env })
  const reads = new Tally('reads while the provider is silent')
  const paid = new Tally('orders whose provider was silent')
  const [startMs, endMs]: [number[], number[]] = [[], []]
  try {
    const key = await newPayer(service)
    const body = fileForm(await makeTone(1))
    const read = async () => reads.count((await askApi(service.url, key, 'files')).status === 200, 'was refused')
    for (let round = 0; round < rounds; round += 1) {
      provider.silent = ['POST /v1/payment_intents', 'POST /v1/refunds']
      const asked = provider.requests.length
      const order = askApi(service.url, key, 'files', { method: 'POST', body }).then(
        ({ status }) => status,
        () => 0,
      )
      await comesTrue(() => provider.requests.length > asked, 30_000)
      await read()
      // With a pending order, shutdown takes its full grace period: the short round kills instead.
      if (unlessShort(round % 2 === 0, false)) endMs.push(await timed(() => service.stop()))
      else await service.kill()
      paid.count((await order) !== 201, 'was answered 201')
      startMs.push(await timed(() => service.boot()))
      await read()
      provider.silent = []
    }
    const files = (await (await askApi(service.url, key, 'files')).json()) as unknown[]
    paid.count(files.length === 0, `${files.length} files that nobody paid`)
    const ends = endMs.length > 0 ? [longest('end while it is silent', endMs, 30_000)] : []
    return [...reads.rows(), ...paid.rows(), longest('start while it is silent', startMs, 5_000), ...ends]
  } finally {
    await service.kill()
    await service.remove()
    await provider.close()
  }
}
