import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import { closingLines, forgetRuns, readRuns } from './closing-lines.ts'

/** One step of a run: a name, and the program with its arguments. */
export type Step = { name: string; command: readonly [string, ...string[]] }

const root = join(import.meta.dirname, '../../..')
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Runs one step to completion, forwarding signals that end this process. @returns its exit status */
async function runStep({ command: [program, ...args] }: Step, run: string): Promise<number> {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, TEST_RUN: run },
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    process.exitCode = 128 + constants.signals[signal]
  }
  for (const signal of signals) process.once(signal, end)
  const [code] = await once(child, 'exit')
  for (const signal of signals) process.off(signal, end)
  return code ?? 1
}

/**
 * Runs steps sequentially, each below a line with its name and above one with its result and seconds. The last lines
 * sum up what their tests left out, and the counts. Sets the exit status to 1 if a step fails.
 * @param suite names the runs of tests in the stored counts
 * @param goesOn false to stop after a failed step
 */
export async function runSteps(suite: string, steps: readonly Step[], goesOn: boolean): Promise<void> {
  forgetRuns(suite)
  for (const step of steps) {
    console.log(`\n── ${suite}: ${step.name}`)
    const startedAt = performance.now()
    const status = await runStep(step, `${suite}-${step.name}`)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`── ${suite}: ${step.name} ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`)
    const wasEnded = process.exitCode !== undefined && process.exitCode !== 1
    if (wasEnded) return
    if (status !== 0) process.exitCode = 1
    if (status !== 0 && !goesOn) break
  }
  console.log(`\n── ${suite}`)
  for (const line of closingLines(readRuns(suite))) console.log(line)
}
