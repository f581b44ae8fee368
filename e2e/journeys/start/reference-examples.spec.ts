import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from '@playwright/test'
import { contents } from '../../../src/reference/contents.ts'
import { type Fence, type Language, languages } from '../../../src/reference/example.ts'
import { examplesOf, fencesOf, runExample } from '../../../src/reference/testing/run-examples.ts'
import { clusterOfRun } from '../../../src/service/testing/running-cluster.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { startWithEngine } from '../../kit/start-with-engine.ts'

/* Every example of every page of /docs, in its own language, against a real service. */

const hasPython = (() => {
  try {
    return execFileSync('python3', ['--version']).length > 0
  } catch {
    return false
  }
})()

/** Ports of this machine that are free now. */
async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

let service: ServiceProcess
let port = 0

test.describe('examples of /docs', () => {
  test.skip(clusterOfRun() !== null, 'they prove nothing of a cluster')
  test.beforeAll(async () => {
    const [own = 0, receiver = 0] = await findPorts(2)
    port = receiver
    const targets = [own, receiver].map((one) => `127.0.0.1:${one}`).join(',')
    service = await startWithEngine('fake', { PORT: String(own), ALLOW_TARGETS: targets })
  })
  test.afterAll(() => service?.remove())

  for (const slug of contents.flatMap(({ slugs }) => slugs)) {
    for (const [language, name] of Object.entries(languages)) {
      const examples = examplesOf(slug, language as Language)
      if (examples.length === 0) continue
      const isMissing = language === 'python' && !hasPython
      test(`${slug} in ${name}${isMissing ? ' (needs Python)' : ''}`, async () => {
        test.skip(isMissing, 'needs Python')
        const { key } = await service.createAccount('sandbox')
        for (const fence of examples) {
          const printed = await runExample(fence, { service: service.url, key, port })
          const shown = answerAfter(slug, fence)
          if (shown !== null && language === 'sh') expect(shapeOf(JSON.parse(printed))).toEqual(shapeOf(shown))
        }
      })
    }
  }
})

/** The answer that the page shows below an example and its alternatives; null if it shows none. */
function answerAfter(slug: string, { text }: Fence): unknown {
  const fences = fencesOf(slug)
  const at = fences.findIndex((fence) => fence.text === text)
  const next = fences.slice(at + 1).find(({ lang }, index) => index > 1 || lang === 'sh' || lang === 'json')
  return next?.lang === 'json' && next.flags.includes('answer') ? JSON.parse(next.text) : null
}

/** The keys of an object and the types of their values. */
function shapeOf(value: unknown): unknown {
  return Object.entries(value as object).map(([name, field]) => [name, typeof field])
}
