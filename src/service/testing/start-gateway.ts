import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaveNothing } from './leave-nothing.ts'

export const gatewayUser = { accessKeyId: 'parley', secretAccessKey: 'parley-secret' }

export async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** One monitor, one in-memory store, no manager, no keys: all on loopback, in one directory. */
function writeConfig(directory: string, id: string, ports: { monitor: number; gateway: number }): string {
  return `[global]
fsid=${id}
mon host=v1:127.0.0.1:${ports.monitor}
ms bind msgr2=false
public addr=127.0.0.1
auth supported=none
auth cluster required=none
auth service required=none
auth client required=none
osd pool default size=1
osd pool default min size=1
osd pool default pg num=4
osd pool default pgp num=4
mon allow pool size one=true
mon max pg per osd=1000
osd crush chooseleaf type=0
osd objectstore=memstore
memstore device bytes=17179869184
mon data=${directory}/mon
osd data=${directory}/osd
run dir=${directory}
pid file=${directory}/$type.pid
admin socket=${directory}/$type.asok
log file=${directory}/$type.log
crash dir=${directory}
rgw frontends=beast endpoint=127.0.0.1:${ports.gateway}
rgw gc obj min wait=5
rgw gc processor period=5
`
}

/** The commands that create a cluster of one node, and its gateway. */
function start(directory: string, id: string, monitor: number): void {
  const config = join(directory, 'ceph.conf')
  const [map, keys, store] = [join(directory, 'monmap'), join(directory, 'keyring'), randomUUID()]
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 })
  run('monmaptool', '--create', '--fsid', id, '--addv', 'a', `[v1:127.0.0.1:${monitor}/0]`, map)
  run('ceph-authtool', '--create-keyring', keys, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
  run('ceph-mon', '-c', config, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keys)
  run('ceph-mon', '-c', config, '-i', 'a')
  patiently(() => run('ceph', '-c', config, 'osd', 'new', store, '0'))
  run('ceph-osd', '-c', config, '-i', '0', '--mkfs', '--osd-uuid', store)
  patiently(() => run('ceph-osd', '-c', config, '-i', '0'))
  run('radosgw', '-c', config, '-n', 'client.rgw')
  const { accessKeyId, secretAccessKey } = gatewayUser
  const user = [
    '--uid=parley',
    '--display-name=parley',
    `--access-key=${accessKeyId}`,
    `--secret-key=${secretAccessKey}`,
  ]
  run('radosgw-admin', '-c', config, 'user', 'create', ...user)
}

/**
 * A new monitor refuses commands (EPERM), and a store that connects before it knows its cluster exits ("wrong fsid"):
 * up to three times in a row.
 */
function patiently(run: () => unknown, tries = 20): void {
  try {
    run()
  } catch (error) {
    if (tries === 1) throw error
    patiently(run, tries - 1)
  }
}

/** True if Debian's Ceph gateway is installed. */
export function hasGateway(): boolean {
  return existsSync('/usr/bin/radosgw') && existsSync('/usr/bin/ceph-osd')
}

export type TestGateway = { endpoint: string; directory: string; stop(): void }

/**
 * For tests: a dedicated real Ceph gateway (Debian), with its objects in memory. Starts in about twelve seconds. Ends
 * with this process at the latest.
 */
export async function startGateway(): Promise<TestGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-s3-'))
  leaveNothing(directory)
  for (const name of ['mon', 'osd']) mkdirSync(join(directory, name))
  const [monitor, gateway, id] = [await freePort(), await freePort(), randomUUID()]
  writeFileSync(join(directory, 'ceph.conf'), writeConfig(directory, id, { monitor, gateway }))
  const stop = () => {
    const pids = readdirSync(directory).filter((name) => name.endsWith('.pid'))
    for (const name of pids) spawnSync('kill', ['-9', readFileSync(join(directory, name), 'utf8').trim()])
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    start(directory, id, monitor)
  } catch (error) {
    stop()
    throw error
  }
  return { endpoint: `http://127.0.0.1:${gateway}`, directory, stop }
}
