import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metadataHeader } from '../../../contract/interface/headers.ts'
import { fileMetadata } from '../../../contract/interface/metadata.ts'
import { finishFile, setProgress } from '../../orders/file/progress.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

let kit: TestService
let key: string
let id: string
beforeAll(async () => {
  kit = await startTestService()
  key = (await kit.account()).key
  id = (await kit.order(key, await kit.tone(2), '?transcript_type=manual', { name: 'Board meeting.wav' })).id
})
afterAll(() => kit.close())

/** fetch refuses TRACE and CONNECT, so these go by node:http. */
function status(method: string, path: string): Promise<{ status: number; allow: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: authorization(key) }
    rawRequest(`${kit.address}/sandbox/v1/${path}`, { method, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, allow: answer.headers.allow, body }))
    })
      .on('error', reject)
      .end()
  })
}

const boardMeeting = `attachment; filename="Board meeting.txt"; filename*=UTF-8''Board%20meeting.txt`

describe('spec 4: methods', () => {
  const others = ['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'LOCK', 'SEARCH']

  it('are GET, HEAD and POST on files; any other is 405 with the allowed ones', async () => {
    for (const method of [...others, 'DELETE']) {
      const answer = await status(method, 'files')
      expect(answer.status, method).toBe(405)
      expect(answer.allow, method).toBe('GET, HEAD, POST')
      expect(JSON.parse(answer.body).error, method).toContain('GET, HEAD, POST')
    }
    expect((await status('HEAD', 'files')).status).toBe(200)
  })

  it('are GET, HEAD and DELETE on a file; any other is 405, POST too', async () => {
    for (const method of [...others, 'POST']) {
      const answer = await status(method, `file/${id}`)
      expect(answer.status, method).toBe(405)
      expect(answer.allow, method).toBe('GET, HEAD, DELETE')
      expect(JSON.parse(answer.body).error, method).toContain('GET, HEAD, DELETE')
    }
  })

  it('are 404 without a resource', async () => {
    for (const path of ['', 'file', 'file/', 'files/x', 'other', `file/${id}/x`, `FILE/${id}`]) {
      const answer = await status('GET', path)
      expect(answer.status, path).toBe(404)
      expect(JSON.parse(answer.body), path).toEqual({ error: expect.stringMatching(/^There is no /) })
    }
  })
})

describe('spec 4.3: metadata', () => {
  it('has every field with its type, and the headers of the spec', async () => {
    const answer = await kit.fetch(key, `file/${id}`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    const header = answer.headers.get(metadataHeader) ?? ''
    const metadata = JSON.parse(header)
    expect(Object.keys(metadata).sort()).toEqual(Object.keys(fileMetadata.shape).sort())
    expect(metadata).toMatchObject({
      name: 'Board meeting',
      created: '2026-11-16T12:00:00.000Z',
      seconds: '2.000',
      bytes: expect.stringMatching(/^\d+$/),
      cost: '0.04',
      discount: '0.00',
      total: 0.04,
      transaction_id: expect.stringMatching(/^\S+$/),
      refund_amount: '0.00',
      currency: 'USD',
      delivery: '2026-11-19T12:00:00.000Z',
      duplicates: null,
      progress_percent: expect.any(Number),
    })
    expect(metadata.options).toMatchObject({ transcript_type: 'manual', speaker_names: [] })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(boardMeeting)
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe('')
  })

  it('exists of the file of a test event, as of one that was just ordered', async () => {
    expect(await kit.metadata(key, 'test_event')).toMatchObject({ name: 'Test event', progress_percent: 0 })
    expect((await kit.fetch(key, 'file/test_event')).status).toBe(200)
    expect((await kit.fetch(key, 'file/test_event', { method: 'DELETE' })).status).toBe(404)
  })

  it('is 404 alike for a wrong id, a deleted file and another account’s', async () => {
    const { id: gone } = await kit.order(key, await kit.tone(1))
    await kit.fetch(key, `file/${gone}`, { method: 'DELETE' })
    const stranger = await kit.account()
    const answers = await Promise.all([
      kit.fetch(key, 'file/nothing'),
      kit.fetch(key, `file/${gone}`),
      kit.fetch(stranger.key, `file/${id}`),
      kit.fetch(stranger.key, `file/${id}`, { method: 'DELETE' }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect(bodies.size).toBe(1)
    expect((await kit.fetch(stranger.key, `file/${id}`, { method: 'HEAD' })).status).toBe(404)
  })
})

describe('spec 4.4: transcript', () => {
  it('below 100 is the work in progress as txt, whatever format is asked', async () => {
    for (const extension of ['', '.txt', '.json', '.pdf', '.doc', '.odt', '.srt', '.sbv', '.JSON']) {
      const answer = await kit.fetch(key, `file/${id}${extension}`)
      expect(answer.status, extension).toBe(200)
      expect(answer.headers.get('content-type'), extension).toBe('text/plain; charset=utf-8')
      expect(answer.headers.get('content-disposition'), extension).toBe(boardMeeting)
      expect(JSON.parse(answer.headers.get(metadataHeader) ?? '').progress_percent, extension).toBeLessThan(100)
      expect(await answer.text(), extension).toMatch(/^WORK IN PROGRESS\n[\s\S]*\n-+\n/)
    }
  })

  it('answers 415 with the types to an extension that is none of the formats, and 404 first to a wrong id', async () => {
    for (const extension of ['.xlsx', '.mp3', '.', '.txt.pdf', '.html']) {
      const answer = await kit.fetch(key, `file/${id}${extension}`)
      expect(answer.status, extension).toBe(415)
      expect(((await answer.json()) as { error: string }).error).toContain('txt, doc, pdf, odt, srt, sbv, json')
    }
    expect((await kit.fetch(key, 'file/nothing.docx')).status).toBe(404)
  })

  it('ignores ranges and conditions, since nothing of an account may be kept by caches', async () => {
    const range = await kit.fetch(key, `file/${id}`, { headers: { range: 'bytes=0-3' } })
    expect(range.status).toBe(200)
    const conditional = await kit.fetch(key, `file/${id}`, { headers: { 'if-none-match': '*' } })
    expect(conditional.status).toBe(200)
    expect(conditional.headers.get('etag')).toBeNull()
  })
})

describe('spec 3: deletion depends on progress', () => {
  async function orderAt(percent: number): Promise<string> {
    const { id: made } = await kit.order(key, await kit.tone(60), '?transcript_type=manual')
    // The simulated staff would continue typing, so end its jobs on this file.
    await kit.platform.db.deleteFrom('jobs').where('file_id', '=', made).execute()
    if (percent < 100) await setProgress(kit.platform, made, percent)
    else {
      await kit.platform.blobs.write(made, 'words.json', '[\n]\n')
      await finishFile(kit.platform, made)
    }
    return made
  }

  it('refunds in proportion below 60, refuses from 60 to 99, refunds nothing at 100', async () => {
    for (const [percent, status, refund] of [
      [0, 200, -125],
      [1, 200, -124],
      [59, 200, -51],
      [60, 409, null],
      [99, 409, null],
      [100, 200, null],
    ] as const) {
      const made = await orderAt(percent)
      const answer = await kit.fetch(key, `file/${made}`, { method: 'DELETE' })
      expect(answer.status, `at ${percent}`).toBe(status)
      const left = await kit.fetch(key, `file/${made}`, { method: 'HEAD' })
      if (status === 409) {
        expect(((await answer.json()) as { error: string }).error).toMatch(/100/)
        expect(left.status).toBe(200)
      } else {
        expect(await answer.text(), 'the body is empty').toBe('')
        expect(left.status).toBe(404)
        expect(await kit.platform.blobs.size(made, 'media'), 'the bytes are gone').toBeNull()
      }
      const entry = await kit.platform.db
        .selectFrom('ledger')
        .selectAll()
        .where('file_id', '=', made)
        .where('kind', '=', 'refund')
        .executeTakeFirst()
      expect(entry?.amount_cents ?? null, `refund at ${percent}`).toBe(refund)
      // Monday's refund is due on Tuesday.
      if (entry !== undefined) expect(new Date(entry.due_at).toISOString()).toBe('2026-11-17T12:00:00.000Z')
    }
  })
})

it('deletes for no less than the client was shown (decision 155)', async () => {
  const { id } = await kit.order(key, await kit.tone(60), '?transcript_type=manual')
  await kit.platform.db.deleteFrom('jobs').where('file_id', '=', id).execute()
  await setProgress(kit.platform, id, 3)
  const remove = async (least: string) => {
    const answer = await kit.fetch(key, `file/${id}`, { method: 'DELETE', headers: { 'min-refund-cents': least } })
    return [answer.status, answer.headers.get('refund-cents')]
  }
  expect(await remove('-1')).toEqual([400, null])
  expect(await remove('122')).toEqual([409, '121'])
  expect(await remove('121')).toEqual([200, '121'])
  expect(await remove('0')).toEqual([404, null])
})

it('lists the ids, newest first, as objects with id alone (spec 2.1)', async () => {
  const account = await kit.account()
  expect(await (await kit.fetch(account.key, 'files')).json()).toEqual([])
  const first = await kit.order(account.key, await kit.tone(1))
  kit.advance(1_000)
  const second = await kit.order(account.key, await kit.tone(1.5))
  const answer = await kit.fetch(account.key, 'files')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.json()).toEqual([second, first])
})
