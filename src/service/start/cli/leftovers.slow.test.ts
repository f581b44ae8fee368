import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import { encodeMetadata, usualMetadata } from '../../api/uploads/testing/upload-client.ts'
import { askApi, authorization } from '../../testing/ask-api.ts'
import { firstKey, main, type RealProcess, runParley, serveProcess } from '../../testing/real-process.ts'
import { fileForm } from '../../testing/test-service.ts'

let directory: string
let dataDir: string
let service: RealProcess | null
const stopped: ChildProcess[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-leftovers-'))
  dataDir = join(directory, 'data')
  // A tar that does its work and then hangs, so that a command can be killed at the worst moment.
  await mkdir(join(directory, 'bin'))
  await writeFile(join(directory, 'bin/tar'), `#!/bin/sh\n${tarPath()} "$@"\nexec sleep 600\n`)
  await chmod(join(directory, 'bin/tar'), 0o755)
})
afterEach(async () => {
  for (const child of stopped.splice(0)) killGroup(child)
  await service?.end('SIGKILL')
  service = null
  await rm(directory, { recursive: true })
})

function tarPath(): string {
  return execFileSync('sh', ['-c', 'command -v tar'], { encoding: 'utf8' }).trim()
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

/** Starts a command that hangs once its tar is done, in a separate process group. */
function hanging(...args: string[]): ChildProcess {
  const env = { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` }
  const child = spawn(process.execPath, [main, ...args, '--data', dataDir], { env, detached: true, stdio: 'ignore' })
  stopped.push(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  killGroup(child)
  await ended
}

/** Seconds of noise, as a wav with unique bytes. */
function noise(): Buffer {
  const sound = randomBytes(64_000)
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + sound.length, 4)
  head.write('WAVEfmt ', 8)
  head.set([16, 0, 0, 0, 1, 0, 1, 0], 16)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.set([2, 0, 16, 0], 32)
  head.write('data', 36)
  head.writeUInt32LE(sound.length, 40)
  return Buffer.concat([head, sound])
}

/** Finds files below the data directory that contain part of the recording. */
async function whereverIs(recording: Buffer): Promise<string[]> {
  const part = recording.subarray(30_000, 30_064)
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const found: string[] = []
  for (const path of paths) if ((await readFile(path)).includes(part)) found.push(path)
  return found
}

async function names(form: RegExp): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => form.test(name))
}

async function startUpload(key: string, bytes: Buffer, length: number): Promise<string> {
  const base = new URL(uploadsBasePath('sandbox'), service?.url)
  const headers = { authorization: authorization(key), 'tus-resumable': '1.0.0' }
  const announced = { 'upload-length': String(length), 'upload-metadata': encodeMetadata(usualMetadata) }
  const octets = { 'content-type': 'application/offset+octet-stream' }
  const answer = await fetch(base, {
    method: 'POST',
    headers: { ...headers, ...announced, ...octets },
    body: new Uint8Array(bytes),
  })
  expect(answer.status).toBe(201)
  return answer.headers.get('location')?.split('/').at(-1) ?? ''
}

it('a deleted recording leaves no byte, whatever was killed before', async () => {
  const [ordered, unfinished, kept] = [noise(), noise(), noise()]
  service = await serveProcess(dataDir)
  const key = firstKey(service, 'sandbox')
  const init = { method: 'POST', body: fileForm(ordered) }
  const answer = await askApi(service.url, key, 'files?transcript_type=automated', init)
  const { id } = (await answer.json()) as { id: string }
  const backup = hanging('backup', join(directory, 'a.tar'))
  await expect.poll(() => readdir(directory)).toContain('a.tar.part')
  await expect.poll(() => names(/^backup-/)).toHaveLength(1)
  expect((await runParley(dataDir, 'backup', join(directory, 'b.tar'))).error).toMatch(/Another backup or restore/)
  expect(await names(/^backup-/)).toHaveLength(1)
  await kill(backup)
  expect((await runParley(dataDir, 'backup', join(directory, 'b.tar'))).code).toBe(0)
  expect(await names(/^backup-/)).toEqual([])
  await kill(await untidy('backup-', 'backup', join(directory, 'c.tar')))
  await kill(await untidy('restore-', 'restore', join(directory, 'b.tar')))

  // A kill between hard-linking an upload's bytes and using the link, and one before an order's bytes were freed.
  const upload = await startUpload(key, unfinished, unfinished.length + 1)
  await link(join(dataDir, 'uploads', upload), join(dataDir, 'uploads', `${upload}.order`))
  const other = await startUpload(key, kept.subarray(0, 40_000), kept.length)
  await service.end('SIGKILL')
  await writeFile(join(dataDir, 'uploads/uGone'), ordered)
  expect((await whereverIs(ordered)).length).toBeGreaterThan(2)

  service = await serveProcess(dataDir)
  await expect.poll(() => names(/^(backup|restore)-/)).toEqual([])
  expect((await readdir(join(dataDir, 'uploads'))).sort()).toEqual([upload, other].sort())
  const headers = { authorization: authorization(key), 'tus-resumable': '1.0.0' }
  const address = new URL(uploadsBasePath('sandbox') + upload, service.url)
  expect((await fetch(address, { method: 'DELETE', headers })).status).toBe(204)
  expect((await askApi(service.url, key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await whereverIs(ordered)).toEqual([])
  expect(await whereverIs(unfinished)).toEqual([])
  expect(await whereverIs(kept)).toHaveLength(1)

  /** Waits until a command's directory contains the recording, and the command hangs. */
  async function untidy(prefix: string, ...args: string[]): Promise<ChildProcess> {
    const child = hanging(...args)
    await expect.poll(async () => (await whereverIs(ordered)).some((path) => path.includes(`/${prefix}`))).toBe(true)
    return child
  }
})

it('startup does not disturb a running backup', async () => {
  service = await serveProcess(dataDir)
  await askApi(service.url, firstKey(service, 'sandbox'), 'files', { method: 'POST', body: fileForm(noise()) })
  const backup = hanging('backup', join(directory, 'a.tar'))
  await expect.poll(() => readdir(directory)).toContain('a.tar.part')
  await expect.poll(() => names(/^backup-/)).toHaveLength(1)
  await service.end('SIGTERM')
  service = await serveProcess(dataDir)
  expect(await names(/^backup-/)).toHaveLength(1)
  await kill(backup)
  await service.end('SIGTERM')
  service = await serveProcess(dataDir)
  await expect.poll(() => names(/^backup-/)).toEqual([])
})
