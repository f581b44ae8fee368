import { expect, test } from 'vitest'
import { accountRoom } from '../../testing/account-room.ts'
import { askApi, authorization } from '../../testing/ask-api.ts'
import { makeSample } from '../../text/corrections/testing/sample-to-correct.ts'

const room = accountRoom()

type Answered = { what: string; status: number; type: string; encoding: string | null; text: string }

test('a file that is deleted while it is read is 404 in our own words, on every route', async () => {
  const { service, account, client } = room
  const answers: Answered[] = []
  /** @param what names it @param answer an answer, also an aborted one */
  const note = async (what: string, asked: Promise<Response>) => {
    const { status, headers, ...answer } = await asked.then(async (got) => {
      return { status: got.status, headers: got.headers, text: await got.text().catch(() => 'cut') }
    })
    answers.push({
      what,
      status,
      type: headers.get('content-type') ?? '',
      encoding: headers.get('content-encoding'),
      ...answer,
    })
  }
  for (let round = 0; round < 12; round += 1) {
    const { id } = await makeSample(room)
    const { url } = await client.read<{ url: string }>('POST', `files/${id}/playback`)
    const read = (path: string) => note(path, askApi(service.address, account.key, `file/${id}${path}`))
    const ask = (path: string) => note(path, client.ask('GET', `files/${id}/${path}`))
    const media = () => note('media', fetch(new URL(url, service.address), { headers: { range: 'bytes=0-99' } }))
    const reads = () => [
      ...['.json', '.srt', '.pdf'].map(read),
      ...['corrections', 'review', 'peaks', 'captions', 'versions'].map(ask),
      media(),
    ]
    const before = reads()
    const deleted = fetch(`${service.address}/sandbox/v1/file/${id}`, {
      method: 'DELETE',
      headers: { authorization: authorization(account.key) },
    })
    await Promise.all([...before, ...reads(), media(), media(), deleted])
  }
  expect(answers.filter(({ status }) => ![200, 206, 404].includes(status))).toEqual([])
  const errors = answers.filter(({ status }) => status === 404)
  expect(errors.length).toBeGreaterThan(0)
  for (const { what, type, text } of errors) {
    expect([what, type]).toEqual([what, 'application/json; charset=utf-8'])
    expect(Object.keys(JSON.parse(text)), what).toEqual(['error'])
  }
})
