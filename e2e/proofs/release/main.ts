import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasPrivateMounts } from '../../../src/service/testing/private-mounts.ts'

/*
 * `npm run proofs -- release`: makes the release twice, compares the bytes, unpacks the Debian package and does the main job
 * with what is in it alone: its own Node, its own pages, no file of the repository. `--image` makes the container image,
 * too (as root, with mmdebstrap).
 */

const root = join(import.meta.dirname, '../../..')
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function release(out: string, ...options: string[]): string {
  const image = process.argv.includes('--image') ? [] : ['--no-image']
  run(process.execPath, 'src/tooling/release/main.ts', '--out', out, ...image, ...options)
  return readFileSync(join(out, 'SHA256SUMS'), 'utf8')
}

function requireThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`not so: ${what}`)
  console.log(`ok  ${what}`)
}

/** Starts the unpacked program with nothing of this environment. @returns its address, first key, and how it ends */
async function start(program: string, dataDir: string) {
  const node = join(program, 'node_modules/.bin/node')
  const args = ['--max-semi-space-size=2', join(program, 'src/service/parley.ts'), 'serve']
  const env = { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, PORT: '0', OFFLINE: '1' }
  const child = spawn(node, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  child.stdout.on('data', (chunk) => lines.push(String(chunk)))
  const found = async (form: RegExp) => {
    for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
      const [, hit] = form.exec(lines.join('')) ?? []
      if (hit !== undefined) return hit
      await wait(50)
    }
    throw new Error(`It did not start: ${lines.join('')}`)
  }
  const end = async () => {
    child.kill('SIGTERM')
    while (child.exitCode === null && child.signalCode === null) await wait(20)
    return child.exitCode
  }
  return { address: await found(/ready at (\S+)/), key: await found(/(parley_live_\w+)/), end }
}

async function mainJob({ address, key }: { address: string; key: string }): Promise<void> {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, address), { ...init, headers: { authorization: `Basic ${btoa(`${key}:`)}`, ...init.headers } })
  const page = await ask('sign-in', { headers: { accept: 'text/html' } })
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
  requireThat((await ask(script)).status === 200, 'the sign-in page and its script are in it')
  for (const path of ['docs/start', 'notices.txt', 'parley-client.tgz', 'robots.txt']) {
    requireThat((await ask(path)).status === 200, `so is /${path}`)
  }
  const form = new FormData()
  const recording = readFileSync(join(root, 'src/service/api/sandbox/sample-talk.mp3'))
  form.append('file', new Blob([recording], { type: 'audio/mpeg' }), 'talk.mp3')
  const ordered = await ask('v1/files?transcript_type=automated', { method: 'POST', body: form })
  requireThat(ordered.status === 201, 'it takes an order')
  const { id } = (await ordered.json()) as { id: string }
  const started = performance.now()
  for (let text = 'WORK IN PROGRESS'; text.startsWith('WORK IN PROGRESS'); await wait(250)) {
    text = await (await ask(`v1/file/${id}.txt`)).text()
    if (performance.now() - started > 120_000) throw new Error('The transcript was not ready within two minutes.')
  }
  for (const ext of ['txt', 'pdf', 'docx', 'odt', 'json', 'srt']) {
    requireThat((await ask(`v1/file/${id}.${ext}`)).status === 200, `it delivers ${ext}`)
  }
}

/** On a disk of 64 MB, mounted for it alone: the release from before stays, the mount point itself is refused in words. */
function releaseOnSmallDisk(disk: string): void {
  mkdirSync(disk)
  const release = [process.execPath, 'src/tooling/release/main.ts', '--built', '--no-image', '--out']
  const before = 'mount -t tmpfs -o size=64m tmpfs "$0"; mkdir "$0/release"; echo before > "$0/release/SHA256SUMS"'
  const script = `${before}; "$@" "$0/release"; echo $?; cat "$0"/release/*; ls "$0"; "$@" "$0"; echo $?`
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, disk, ...release], {
    cwd: root,
    encoding: 'utf8',
  })
  requireThat(/No release was made: the disk is full\./.test(stderr), 'a full disk is told in words')
  requireThat(/\n?1\nbefore\nrelease\n/.test(stdout), 'and leaves the release from before')
  requireThat(/is a mount point/.test(stderr) && stdout.endsWith('1\n'), 'so is a mount point')
}

const folder = mkdtempSync(join(tmpdir(), 'parley-release-'))
try {
  const first = release(join(folder, 'first'))
  console.log(first)
  const second = release(join(folder, 'second'), '--built')
  requireThat(first === second, 'made again, it has the same bytes')
  if (hasPrivateMounts) releaseOnSmallDisk(join(folder, 'disk'))
  else console.log('left out: a small disk needs unshare')
  const name = readdirSync(join(folder, 'first')).find((one) => one.endsWith('.deb')) ?? ''
  run('dpkg-deb', '-x', join(folder, 'first', name), join(folder, 'root'))
  run('dpkg-deb', '-e', join(folder, 'first', name), join(folder, 'control'))
  for (const script of ['preinst', 'postinst', 'prerm', 'postrm']) run('sh', '-n', join(folder, 'control', script))
  const kept = readFileSync(join(folder, 'control/conffiles'), 'utf8')
  requireThat(kept === '/etc/parley/parley.env\n', 'an upgrade keeps the settings')
  writeFileSync(join(folder, 'root/etc/parley/parley.env'), '')
  const running = await start(join(folder, 'root/opt/parley'), join(folder, 'data'))
  try {
    await mainJob(running)
  } finally {
    requireThat((await running.end()) === 0, 'it ends in order')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
