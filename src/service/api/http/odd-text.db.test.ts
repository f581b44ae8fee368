import { expect, test } from 'vitest'
import { accountRoom } from '../../testing/account-room.ts'
import { authorization } from '../../testing/ask-api.ts'
import { makeChange, makeSample, postChange, typed } from '../../text/corrections/testing/sample-to-correct.ts'
import { addStaff } from '../../workbench/staff.ts'

/* U+0000, which PostgreSQL refuses, lone surrogates and forged cursors: none is an unexpected error anywhere. */

const room = accountRoom()

type Described = { paths: Record<string, Record<string, unknown>> }

test('U+0000 in the id of any path is 400', async () => {
  const { address } = room.service
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as Described
  const answers: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.includes('{') || path.startsWith('/work')) continue
    const url = `${address}${path.replaceAll(/\{\w+\}/g, 'a%00b').replace(/^\/(?=v1|account|uploads)/, '/sandbox/')}`
    for (const method of Object.keys(methods)) {
      const headers = { authorization: authorization(room.account.key), 'if-match': '"1"' }
      const { status } = await fetch(url, { method: method.toUpperCase(), headers })
      if (status !== 400) answers.push(`${method} ${path}: ${status}`)
    }
  }
  expect(answers.filter((line) => !/: (404|405)$/.test(line))).toEqual([])
})

test('U+0000 in a search is dropped, also in a CSV', async () => {
  const { ask } = room.client
  const found = ['ledger?search=%00', 'ledger.csv?search=a%00', 'log?search=%00', 'log.csv?search=a%00', 'search?q=%00']
  for (const path of [...found, 'files?ids=%00', 'vocabulary?preset=%00', 'deliveries?state=%00']) {
    const answer = await ask('GET', path)
    expect(answer.status, path).toBeLessThan(500)
    await answer.text()
  }
})

test.each(['2026-02-30', '1-x', '1-99999999999999999999', 'NaN-NaN'])('the forged cursor %s is 400', async (cursor) => {
  for (const path of ['ledger', 'log']) {
    expect((await room.client.ask('GET', `${path}?cursor=${cursor}`)).status, path).toBe(400)
  }
})

test.each(['odd', '99999999999999999999', '1e3', '-1'])(
  'a step with the number %s waits for no manager',
  async (claim) => {
    const { address, platform } = room.service
    const { key } = await addStaff(platform.db, { name: 'Ann', role: 'manager' }, platform.clock())
    const answer = await fetch(`${address}/work/api/parts/odd/claims/${claim}/decide`, {
      method: 'POST',
      headers: { authorization: authorization(key), 'content-type': 'application/json' },
      body: '{"accepted":true}',
    })
    expect(answer.status).toBe(404)
  },
)

test('text is stored without U+0000 and well-formed, wherever it comes in', async () => {
  const { client, service, account } = room
  const { entry } = await client.read<{ entry: { name: string } }>('POST', 'keys', { name: 'a\0b\ud800' })
  expect(entry.name).toBe('ab\ufffd')
  const sample = await makeSample(room)
  await client.read('PATCH', 'labels', { ids: [sample.id], name: 'x\0y', note: 'n\udfff', add_tags: ['t\0'] })
  const { db } = service.platform
  const [row] = await db.selectFrom('files').select('labels_json').where('id', '=', sample.id).execute()
  expect(JSON.parse(row?.labels_json ?? '')).toMatchObject({ name: 'xy', note: 'n\ufffd', tags: ['t'] })
  const change = makeChange(sample, [typed(sample, 0, 'quin\0ce')], { label: 'l\0', names: ['A\0nn', 'Bo'] })
  expect((await postChange(room, `${sample.id}/corrections`, 0, change)).status).toBe(200)
  const answer = await service.post(account.key, await service.tone(1), '?transcript_type=auto%00mated')
  expect(answer.status).toBe(201)
})

test('a compressed JSON body is 415, as it is not read', async () => {
  const { service, account } = room
  const url = `${service.address}/sandbox/account/keys`
  const headers = { authorization: authorization(account.key), 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'x' })
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'content-encoding': 'gzip' }, body })
  expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  expect(
    (await fetch(url, { method: 'POST', headers: { ...headers, 'content-encoding': 'identity' }, body })).status,
  ).toBe(201)
})

test('a time that no format can write is 400', async () => {
  const sample = await makeSample(room)
  const { words, ...patch } = typed(sample, 0, 'late')
  const late = { ...patch, words: words.map((word) => ({ ...word, start: 1e300, end: 1e300 })) }
  expect((await postChange(room, `${sample.id}/corrections`, 0, makeChange(sample, [late]))).status).toBe(400)
})
