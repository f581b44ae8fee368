import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunningCluster } from '../../../src/service/testing/running-cluster.ts'
import { freePort } from '../../../src/service/testing/start-gateway.ts'
import { openReceiver } from '../../kit/receiver.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import type { Measurement } from '../bench/measurement.ts'
import { type Checkout, checkOut } from './checkout.ts'
import { Cluster } from './cluster.ts'
import { SteadyLoad } from './steady-load.ts'

const customers = 3
/** How long the load runs between two steps. */
const stepMs = 10_000

/** A key of a new sandbox account, created by the program that matches the database at that time. */
function newKey(cluster: Cluster, { program }: Checkout): string {
  const args = [program, 'account', 'create', '--sandbox', '--name', 'Upgrade']
  const printed = execFileSync(process.execPath, args, { env: { ...process.env, ...cluster.env }, encoding: 'utf8' })
  return (JSON.parse(printed) as { key: string }).key
}

/** Two API nodes and a worker. */
async function startNodes(cluster: Cluster, ports: readonly number[], program?: string): Promise<ServiceProcess[]> {
  const nodes = [await cluster.node('worker', null, program)]
  for (const port of ports) nodes.push(await cluster.node('api', port, program))
  return nodes
}

/**
 * Upgrades a cluster under a steady load: nodes of `ref` serve, the present tree migrates the database, its nodes join,
 * tests run against all of them, and those of `ref` leave one by one.
 * @param test runs tests through the proxy while both serve. @returns their exit status, 0 for success
 * @returns the effects on customers
 */
export async function upgrade(ref: string, test: (cluster: RunningCluster) => Promise<number>): Promise<Measurement[]> {
  await using ends = new AsyncDisposableStack()
  const receiver = await openReceiver()
  ends.defer(() => receiver.close())
  const environment = { RECOGNIZER: 'sherpa', ALLOW_TARGETS: receiver.target }
  return await Cluster.with(environment, async (cluster) => {
    const former = checkOut(ref, join(cluster.directory, 'former'))
    const say = (what: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${what}`)
    const step = async (what: string) => {
      say(what)
      await wait(stepMs)
    }
    cluster.migrate(former.program)
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()]
    const leaving = await startNodes(cluster, ports.slice(0, 2), former.program)
    const url = await cluster.proxy(ports)
    const load = new SteadyLoad(url, receiver)
    for (let count = 0; count < customers; count += 1) await load.add(newKey(cluster, former))
    await step(`Nodes of ${former.about} serve ${customers} customers.`)
    cluster.migrate()
    await step('The database is migrated.')
    await startNodes(cluster, ports.slice(2))
    await step('Nodes of the present tree have joined.')
    const status = await test({ url, env: cluster.env })
    say(`Tests while both serve ended with ${status}.`)
    for (const node of leaving) {
      await node.stop()
      await step('A former node has left.')
    }
    const seen = await load.stop()
    await cluster.stop()
    const tests = { what: 'conformance while both serve: exit code', value: status, unit: '', goal: { atMost: 0 } }
    return [tests, ...seen]
  })
}
