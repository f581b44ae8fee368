import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import fc from 'fast-check'
import { browserLaunch } from '../../kit/browser-launch.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { quiet } from '../torture/rounds.ts'
import { acts, walk } from './walk.ts'

/**
 * `npm run proofs -- customer --minutes N`: the customer who remembers everything walks through the product at random,
 * until the minutes are over. `--seed S` repeats one way. Any difference between memory and outcome exits with 1.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' } },
})
const first = Number(values.seed ?? Date.now() % 1_000_000)
const service = await ServiceProcess.start(quiet)
const browser = await chromium.launch(browserLaunch)
const endMs = performance.now() + Number(values.minutes) * 60_000
let [walks, steps, faults] = [0, 0, 0]
for (let seed = first; performance.now() < endMs && !(values.seed && walks > 0); seed += 1) {
  const [way = []] = fc.sample(acts, { seed, numRuns: 1 })
  const result = await walk(browser, service, way)
  walks += 1
  steps += result.steps
  if (result.fault === null) {
    console.log(`seed ${seed}: ${result.steps} steps`)
    continue
  }
  faults += 1
  console.log(
    `seed ${seed}: FAULT after ${result.steps} steps\n${result.diary.map((line) => `  ${line}`).join('\n')}\n${result.fault}`,
  )
}
console.log(`${walks} walks, ${steps} steps, ${faults} faults`)
await browser.close()
await service.remove()
process.exitCode = faults === 0 ? 0 : 1
