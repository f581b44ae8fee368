import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { memoryMb } from './process-memory.ts'
import { readSize, sendForm } from './send-recording.ts'
import { unlessShort } from './short.ts'

const ticksPerSecond = 100 // Linux's USER_HZ, the same on every common architecture

/** Processor seconds that a process has used, in user and kernel mode (proc(5), `stat` fields 14 and 15). */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

async function startRawSink(path: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'raw-sink.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(createInterface({ input: child.stdout }), 'line')
  return { url: new URL(`http://127.0.0.1:${port}/`), pid: Number(child.pid), end: () => child.kill() }
}

/**
 * Upload of a long recording through the real route, against a node:http server that pipes the same body to a file,
 * interleaved. `--size 10g` (default 2g), `--rounds 3`. Needs twice the size on the disk of the temporary directory.
 */
export const benchUpload: Bench = async ({ size, rounds = unlessShort('3', '1') }) => {
  const bytes = readSize(size)
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < 2.5 * bytes) throw new Error('There is not enough room on the disk of the temporary directory.')
  const sinkPath = join(directory, 'sink')
  const sink = await startRawSink(sinkPath)
  // An engine that is never available: recognition must not use the processor while uploads are measured.
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1' })
  const raw: number[] = []
  const real: number[] = []
  let rawProcessor = 0
  let realProcessor = 0
  let growthMb = 0
  try {
    const { key } = await service.createAccount()
    await sendForm(new URL('v1/files', service.url), 1_000_000, key)
    for (let round = 0; round < Number(rounds); round += 1) {
      rawProcessor -= processorSeconds(sink.pid)
      raw.push(bytes / 1e6 / (await sendForm(sink.url, bytes, key)).seconds)
      rawProcessor += processorSeconds(sink.pid)
      await rm(sinkPath)
      const beforeMb = memoryMb(service.pid, 'VmRSS')
      realProcessor -= processorSeconds(service.pid)
      const { seconds, body } = await sendForm(new URL('v1/files', service.url), bytes, key)
      growthMb = Math.max(growthMb, memoryMb(service.pid, 'VmHWM') - beforeMb)
      realProcessor += processorSeconds(service.pid)
      real.push(bytes / 1e6 / seconds)
      const { id } = JSON.parse(body) as { id: string }
      await askApi(service.url, key, `file/${id}`, { method: 'DELETE' })
    }
  } finally {
    sink.end()
    await service.remove()
    await rm(directory, { recursive: true })
  }
  const sentGb = (Number(rounds) * bytes) / 1e9
  return [
    { what: 'processor of the raw pipe', value: rawProcessor / sentGb, unit: 's/GB' },
    { what: 'processor of the service', value: realProcessor / sentGb, unit: 's/GB' },
    { what: 'raw pipe', value: median(raw), unit: 'MB/s' },
    { what: 'real route', value: median(real), unit: 'MB/s' },
    { what: 'real route of raw pipe', value: median(real) / median(raw), unit: '', goal: { atLeast: 0.8 } },
    { what: 'peak memory growth', value: growthMb, unit: 'MB', goal: { atMost: 100 } },
  ] satisfies Measurement[]
}
