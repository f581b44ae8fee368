import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'

let service: TestService
let account: TestAccount
beforeAll(async () => {
  service = await startTestService({ metricsPort: 0 })
  account = await service.account()
})
afterAll(() => service.close())

test('metrics expose no key, name or ID', async () => {
  const client = accountClient(service.address, account.key)
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent: 40 })
  await service.fetch(account.key, `file/${id}`)
  await service.fetch(account.key, 'file/f000')
  const { db, clock } = service.platform
  const times = { run_after: clock() - 90_000, created_at: 0 }
  const waiting = { id: 'jwaiting', kind: 'unknown', state: 'waiting', attempts: 0, payload_json: '{}' } as const
  await db
    .insertInto('jobs')
    .values({ ...waiting, ...times, file_id: id, account_id: account.id })
    .execute()
  const answer = await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text).toContain('parley_http_answers_total{method="GET",route="/sandbox/v1/file/:target",status="404"} 1')
  expect(text).toContain('parley_files{environment="sandbox",state="in progress"} 1')
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect(text).toContain('parley_event_streams 0')
  expect(text).toContain('parley_leases_lost_total 0')
  expect(Number(/^parley_disk_free_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(1_000_000)
  const texts = ['docs/operating.md', 'deploy/alerts.yml', 'deploy/grafana.json'].map((path) => readFile(path, 'utf8'))
  const [operating, alerts, board] = await Promise.all(texts)
  const watched = `${operating}${alerts}${board?.replaceAll(/_(bucket|sum|count)\b/g, '')}`
  const named = new Set(watched.match(/\bparley_[a-z_]+\b/g))
  expect(
    [...named].filter((name) => !text.includes(`# TYPE ${name} `)),
    'named in the docs, and not there',
  ).toEqual([])
  expect(named.size).toBeGreaterThan(5)
  expect(text).toMatch(/parley_oldest_waiting_job_seconds\{kind="unknown"\} 90/)
  for (const secret of [account.key, account.key.slice(-4), id, 'Sample']) expect(text).not.toContain(secret)
  for (const line of text.split('\n').filter((one) => one !== '')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? (?:[\d.e+-]+|\+Inf))$/)
  }
  // What is counted is also drawn: the board shows each metric of ours.
  const ours = [...text.matchAll(/^# TYPE (parley_\w+) /gm)].map(([, name = '']) => name)
  expect(
    ours.filter((name) => !board?.includes(name)),
    'not on the board',
  ).toEqual([])
  const { panels } = JSON.parse(board ?? '') as { panels: { id: number; title: string }[] }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect((await fetch(`${service.address}/metrics`)).headers.get('content-type')).not.toMatch(/version=0.0.4/)
})

test('metrics are not answered at a name that a web page could point here', async () => {
  const ask = async (host: string) => {
    const asked = get({ port: service.metricsPort, host: '127.0.0.1', path: '/metrics', headers: { host } })
    const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
    asked.destroy()
    return statusCode
  }
  for (const host of ['evil.example', 'evil.example:9600', '127.0.0.1.evil.example', 'x.local.example']) {
    expect([host, await ask(host)]).toEqual([host, 421])
  }
  for (const host of ['127.0.0.1:9600', 'localhost', '[::1]:9600', 'api:9600', 'parley.default.svc:9600', hostname()]) {
    expect([host, await ask(host)]).toEqual([host, 200])
  }
})
