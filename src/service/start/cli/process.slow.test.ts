import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { accountClient } from '../../testing/account-client.ts'
import { askApi, authorization } from '../../testing/ask-api.ts'
import { hasPrivateMounts } from '../../testing/private-mounts.ts'
import { firstKey, main, nodeFlags, type RealProcess, runParley, serveProcess } from '../../testing/real-process.ts'
import { fileForm, makeTone } from '../../testing/test-service.ts'

let dataDir: string
const running: RealProcess[] = []
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'parley-cli-')), 'data')
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.end('SIGKILL')
  await rm(join(dataDir, '..'), { recursive: true })
})

async function serve(env: Readonly<Record<string, string>> = {}): Promise<RealProcess> {
  const service = await serveProcess(dataDir, env)
  running.push(service)
  return service
}

function parley(...args: string[]) {
  return runParley(dataDir, ...args)
}

async function status(service: Pick<RealProcess, 'url'>, key: string, base = 'v1/'): Promise<number> {
  return (await fetch(new URL(`${base}files`, service.url), { headers: { authorization: authorization(key) } })).status
}

describe('the first start', () => {
  it('creates a live and a sandbox account, prints their keys once, and is ready', async () => {
    const first = await serve()
    const live = firstKey(first, 'live')
    const sandbox = firstKey(first, 'sandbox')
    expect((await fetch(new URL('healthz', first.url))).status).toBe(200)
    expect(await status(first, live)).toBe(200)
    expect(await status(first, sandbox, 'sandbox/v1/')).toBe(200)
    expect(await first.end('SIGINT')).toBe(0)
    const second = await serve()
    expect(second.lines.join('\n')).not.toMatch(/parley_(live|test)_/)
    expect(await status(second, live)).toBe(200)
  })
})

describe('under systemd', () => {
  it('prints no keys into the journal, and leaves none that nobody has', async () => {
    const path = join(dataDir, '..', 'journal')
    const journal = await open(path, 'w')
    const { dev, ino } = await journal.stat()
    const env = { ...process.env, OFFLINE: '1', LOG_LEVEL: 'error', JOURNAL_STREAM: `${dev}:${ino}` }
    const args = [...nodeFlags, main, 'serve', '--port', '0', '--data', dataDir]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', journal.fd, 'inherit'] })
    const exited = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = () => readFile(path, 'utf8')
    await expect.poll(said, { timeout: 30_000 }).toContain('Nobody types here yet')
    expect(await said()).not.toMatch(/parley_(live|test)_/)
    const [, account = ''] = /key create (a\w+)/.exec(await said()) ?? []
    expect(JSON.parse((await parley('account', 'show', account)).out).keys).toEqual([])
    const { key } = JSON.parse((await parley('key', 'create', account)).out)
    const url = new URL(/ready at (\S+)/.exec(await said())?.[1] ?? '')
    expect(await status({ url }, key)).toBe(200)
    child.kill('SIGTERM')
    await exited
    await journal.close()
  }, 60_000)

  it.skipIf(!hasPrivateMounts)('says that the disk is full, where an account is made (needs unshare)', async () => {
    await (await serve()).end('SIGTERM')
    const disk = join(dataDir, '..', 'disk')
    await mkdir(disk)
    const fill = 'mount -t tmpfs -o size=4m tmpfs "$0"; cp "$1"/parley.db "$0"; cat /dev/zero > "$0/zeros" 2>/dev/null'
    const args = [disk, dataDir, process.execPath, ...nodeFlags, main, 'account', 'create', '--data', disk]
    const { stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', `${fill}; shift; exec "$@"`, ...args], {
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^The disk that holds \S+ is full\. .*\n$/)
  })

  it.skipIf(!hasPrivateMounts)('says what the unit needs where it may not write (needs unshare)', async () => {
    const script = 'mount --bind -o ro "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    await (await serve()).end('SIGTERM')
    const args = ['-rm', 'sh', '-c', script, dataDir, process.execPath, ...nodeFlags, main, 'serve', '--data', dataDir]
    const { stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
    expect(stderr).toContain(`needs ReadWritePaths=${dataDir}`)
  })
})

describe('commands alongside a running server', () => {
  it('make accounts, keys and webhooks that work at once, and end keys at once', async () => {
    const service = await serve()
    const made = await parley('account', 'create', '--sandbox', '--name', 'Ann')
    const { account, key } = JSON.parse(made.out)
    expect(Object.keys(JSON.parse(made.out))).toEqual(['account', 'key'])
    expect(await status(service, key, 'sandbox/v1/')).toBe(200)
    const further = JSON.parse((await parley('key', 'create', account)).out).key
    expect(await status(service, further, 'sandbox/v1/')).toBe(200)
    expect((await parley('key', 'revoke', key)).code).toBe(0)
    expect(await status(service, key, 'sandbox/v1/')).toBe(401)
    expect(await status(service, further, 'sandbox/v1/')).toBe(200)
    expect(JSON.parse((await parley('webhook', 'set', account, 'https://hooks.example/x')).out).secret).toMatch(
      /^whsec_/,
    )
    const shown = JSON.parse((await parley('account', 'show', account)).out)
    const byId = JSON.parse((await parley('key', 'create', account)).out).key
    const { keys } = JSON.parse((await parley('account', 'show', account)).out)
    expect((await parley('key', 'revoke', keys.at(-1).id)).code).toBe(0)
    expect(await status(service, byId, 'sandbox/v1/')).toBe(401)
    expect(shown).toMatchObject({ id: account, name: 'Ann', environment: 'sandbox', files: 0 })
    expect(JSON.stringify(shown)).not.toContain(further)
    const set = await parley('account', 'set', account, '--discount', '5', '--no-custom-formatting', '--name', 'Bo')
    expect(JSON.parse(set.out)).toMatchObject({ name: 'Bo', discount_percent: 5, custom_formatting_enabled: false })
    await parley('account', 'set', account, '--discount', '0')

    const order = await fetch(new URL('sandbox/v1/files?transcript_type=automated', service.url), {
      method: 'POST',
      headers: { authorization: authorization(further) },
      body: fileForm(await makeTone(60)),
    })
    const { id } = (await order.json()) as { id: string }
    const target = new URL(`sandbox/v1/file/${id}`, service.url)
    await fetch(target, { method: 'DELETE', headers: { authorization: authorization(further) } })
    const ledger = (await parley('ledger', account)).out.split('\n').map((line) => JSON.parse(line))
    expect(ledger).toMatchObject([
      { kind: 'charge', amount: 0.1, file_id: id },
      { kind: 'refund', amount: -0.1, file_id: id, status: 'pending' },
    ])
  })

  it('say the version, and all that doctor finds on standard output', async () => {
    expect((await parley('--version')).out).toMatch(/^\d+\.\d+\.\d+/)
    const examined = await runParley(join(dataDir, 'mistyped'), 'doctor')
    expect([examined.code, examined.error]).toEqual([1, ''])
    expect(examined.out).toMatch(/^ok .*^PROBLEM database/ms)
  })

  it('that are wrong print one line and exit with an error', async () => {
    const service = await serve()
    await service.end('SIGTERM')
    for (const args of [
      ['account', 'show', 'nobody'],
      ['key', 'create', 'nobody'],
      ['key', 'revoke', 'parley_live_x'],
      ['webhook', 'set', 'nobody', 'https://a.example/'],
      ['ledger', 'nobody'],
      ['account', 'set', 'nobody', '--name', 'Ann'],
      ['delay', 'nothing', '--reason', 'queue'],
    ]) {
      const { code, out, error } = await parley(...args)
      expect(code, args.join(' ')).toBe(1)
      expect(out).toBe('')
      expect(error.split('\n'), args.join(' ')).toHaveLength(1)
    }
    // It would write a backup named verify.
    expect((await parley('backup', 'verify')).error).toBe('REPO is missing: backup verify REPO')
    expect((await parley('key', 'list')).error).toBe(
      'There is no command "key list". There is: key create ACCOUNT, key revoke KEY.',
    )
    expect((await parley('account', 'set', 'a', '--discount', '-5')).error).toMatch(
      /^--discount needs a value; .*=-1\.$/,
    )
    expect((await parley('money', 'reconcile', '--day', '2026-02-30')).error).toMatch(/^Name a day in UTC that exists/)
    expect((await parley('restore', 'x', '--lose', 'abc')).error).toBe('--lose takes a number, not "abc".')
    expect((await parley('account', 'create', '--nonsense')).code).toBe(1)
  })
})

describe('a failed start', () => {
  async function expectRefusal(words: RegExp, ...flags: string[]): Promise<void> {
    const { code, out, error } = await parley('serve', '--port', '0', ...flags)
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(error.split('\n')).toHaveLength(1)
    expect(error).toMatch(words)
  }

  it('says that another server has the data directory; one that was killed does not', async () => {
    const service = await serve()
    await expectRefusal(/Another server is using the data directory/)
    await service.end('SIGKILL')
    const next = await serve()
    expect((await fetch(new URL('healthz', next.url))).status).toBe(200)
  })

  it('says that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await expectRefusal(new RegExp(`127\\.0\\.0\\.1:${port}.*in use`), '--port', String(port))
    other.close()
  })

  it('says that the data directory is damaged or none', async () => {
    await mkdir(dataDir, { mode: 0o700 })
    await writeFile(
      join(dataDir, 'parley.db'),
      'This is no database, but long enough to be looked at as one.'.repeat(100),
    )
    await expectRefusal(/damaged/)
    await rm(dataDir, { recursive: true })
    await writeFile(dataDir, 'a file')
    await expectRefusal(/is a file, not a directory/)
    await rm(dataDir)
    const own = dataDir
    dataDir = '/proc/none'
    if (process.platform === 'linux') await expectRefusal(/cannot be used/)
    dataDir = own
  })

  it('names the invalid flag or variable', async () => {
    await expectRefusal(/port.*70000/, '--port', '70000')
    await expectRefusal(/^There is no flag --prot\. Did you mean --port\?$/m, '--prot', '4600')
  })
})

it('keeps its data to itself, in a directory that others could enter before', async () => {
  await mkdir(dataDir)
  await chmod(dataDir, 0o755)
  const service = await serve({ LOG_LEVEL: 'warn' })
  let said = ''
  service.child.stderr?.on('data', (chunk) => (said += chunk))
  const form = { method: 'POST', body: fileForm(await makeTone(2)) }
  const key = firstKey(service, 'sandbox')
  expect((await askApi(service.url, key, 'files?transcript_type=automated', form)).status).toBe(201)
  await accountClient(service.url, key).read('PUT', 'webhook', { url: 'https://93.184.216.34/' })
  await expect.poll(() => said).toMatch(/"before":"755".*permissions are now 700/)
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = [dataDir, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
  expect(paths.length).toBeGreaterThan(10)
  const open = []
  for (const path of paths) if (((await stat(path)).mode & 0o077) !== 0) open.push(path)
  expect(open).toEqual([])
})

it('finishes an upload in progress at SIGTERM', async () => {
  const service = await serve()
  const key = firstKey(service, 'live')
  const tone = await makeTone(2)
  const half = Math.floor(tone.byteLength / 2)
  const boundary = 'xYzZy'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  async function* body() {
    yield Buffer.from(head)
    yield tone.subarray(0, half)
    begun.resolve()
    await goOn.promise
    yield tone.subarray(half)
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  const sending = fetch(new URL('v1/files', service.url), {
    method: 'POST',
    headers: { authorization: authorization(key), 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(body()) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: 'half',
  } as RequestInit)
  await begun.promise
  await expect.poll(async () => readdir(join(dataDir, 'blobs/staging'))).toHaveLength(1)
  const ended = service.end('SIGTERM')
  goOn.resolve()
  expect((await sending).status).toBe(201)
  expect(await ended).toBe(0)
})
