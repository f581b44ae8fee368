import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import fc from 'fast-check'
import { browserLaunch } from '../../kit/browser-launch.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { quiet } from '../torture/rounds.ts'
import { acts, type WalkResult, walk } from './walk.ts'

/**
 * `npm run proofs -- customer`: the customer who remembers everything walks through the product at random from
 * fixed seeds (`e2e/proofs/customer.spec.ts`). Here, with `--minutes N`, from new ones until the minutes are over, or
 * until the `--first` fault; `--seed S` repeats one walk, and `--shrink M` repeats a failed one with fewer acts for up
 * to M minutes. A difference between memory and outcome exits with 1; a signal ends it after the walk under way.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    first: { type: 'boolean', default: false },
    seed: { type: 'string' },
    shrink: { type: 'string', default: '0' },
  },
})
function* seeds(): Generator<number> {
  if (values.seed !== undefined) return yield Number(values.seed)
  const endMs = performance.now() + Number(values.minutes ?? 10) * 60_000
  // Far apart for walks that begin in the same moment.
  for (let seed = randomInt(1_000_000_000); performance.now() < endMs; seed += 1) yield seed
}

const describe = ({ diary, fault }: WalkResult) => `${diary.map((line) => `  ${line}`).join('\n')}\n${fault}`

/** Walks from a seed. @returns the fault at the end of the shortest failed walk, if there is one */
async function walkSeed(browser: Browser, service: ServiceProcess, seed: number): Promise<WalkResult> {
  let last: WalkResult = { steps: 0, diary: [], fault: null }
  let failed: WalkResult | null = null
  const property = fc.asyncProperty(acts, async (way) => {
    last = await walk(browser, service, way)
    if (last.fault !== null) failed = last
    return last.fault === null
  })
  const shrinkMs = Number(values.shrink) * 60_000
  const shrinks = shrinkMs > 0 ? { interruptAfterTimeLimit: shrinkMs } : { endOnFailure: true }
  const { errorInstance } = await fc.check(property, { seed, numRuns: 1, ...shrinks })
  // It could not even begin, for example as the browser is gone.
  if (failed === null && errorInstance !== null) return { ...last, fault: String(errorInstance) }
  return failed ?? last
}

const service = await ServiceProcess.start(quiet)
const browser = await chromium.launch({ ...browserLaunch, handleSIGINT: false, handleSIGTERM: false })
let [walks, steps, faults] = [0, 0, 0]
let isEnded = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isEnded = true
  })
}
for (const seed of seeds()) {
  const result = await walkSeed(browser, service, seed)
  walks += 1
  steps += result.steps
  if (result.fault !== null) faults += 1
  const outcome = result.fault === null ? '' : `: FAULT\n${describe(result)}`
  console.log(`seed ${seed}: ${result.steps} steps${outcome}`)
  if (isEnded || (values.first && faults > 0)) break
}
console.log(`${walks} walks, ${steps} steps, ${faults} faults`)
await browser.close()
await service.remove()
process.exitCode = faults === 0 ? 0 : 1
