import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runTool } from './run-tool.ts'
import { canLimitTools, spawnTool } from './tool-process.ts'

const limits = { timeoutMs: 60_000, maxOutputBytes: 10_000 }
const systemPath = process.env.PATH
let directory: string

/** Stand-ins for ffprobe and ffmpeg report their arguments. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-tools-'))
  const probe = `echo + >> ${directory}/log; sleep 0.05; echo - >> ${directory}/log; ulimit -v; ulimit -t; nice`
  for (const [tool, script] of [
    ['ffprobe', probe],
    ['ffmpeg', 'while :; do :; done'],
  ] as const) {
    await writeFile(join(directory, tool), `#!/bin/sh\n${script}\n`)
    await chmod(join(directory, tool), 0o755)
  }
  process.env.PATH = `${directory}:${systemPath}`
})
afterAll(async () => {
  process.env.PATH = systemPath
  await rm(directory, { recursive: true })
})

it.skipIf(!canLimitTools())(
  'tools have limited memory and processor time, and low priority (needs prlimit)',
  async () => {
    const [memory, seconds, nice] = (await runTool('ffprobe', [], limits)).split('\n')
    expect([memory, seconds]).toEqual([String(2 ** 21), '60']) // kB
    expect(Number(nice)).toBeGreaterThan(0)
    const child = spawnTool('ffmpeg', [], { cpuSeconds: 1 })
    const signal = new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)))
    await text(child.stdout)
    expect(await signal).toBeOneOf(['SIGXCPU', 'SIGKILL'])
  },
)

it('limits concurrency to the number of cores, and runs all', async () => {
  await writeFile(join(directory, 'log'), '')
  const asked = 3 * availableParallelism()
  await Promise.all(Array.from({ length: asked }, () => runTool('ffprobe', [], limits)))
  const steps = (await readFile(join(directory, 'log'), 'utf8')).trim().split('\n')
  expect(steps).toHaveLength(2 * asked)
  let running = 0
  const most = Math.max(...steps.map((step) => (running += step === '+' ? 1 : -1)))
  expect(most).toBeLessThanOrEqual(availableParallelism())
})
