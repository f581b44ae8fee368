import OpenAPIClientAxios, { type Document } from 'openapi-client-axios'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'

/* The main job by a client that is made from the served document by a generator that is not ours. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ role: 'api' })
})
afterAll(() => service.close())

test('a client that a public generator makes of /openapi.json orders, watches, reads and deletes', async () => {
  const { key } = await service.account()
  const definition = (await (await fetch(`${service.address}/openapi.json`)).json()) as Document
  const client = await new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: {
      baseURL: `${service.address}/sandbox`,
      auth: { username: key, password: '' },
      validateStatus: () => true,
    },
  }).init()
  const send = async (operation: string, ...given: unknown[]) => {
    const run = client[operation as keyof typeof client] as (...all: unknown[]) => Promise<{
      status: number
      data: unknown
      headers: Record<string, string>
    }>
    expect(run, operation).toBeTypeOf('function')
    return await run(...given)
  }
  const form = new FormData()
  form.set('file', new Blob([await service.tone(60)], { type: 'audio/wav' }), 'tone.wav')
  const made = await send('post_v1_files', { transcript_type: 'automated' }, form)
  expect(made).toMatchObject({ status: 201, data: { id: expect.any(String) } })
  const { id } = made.data as { id: string }
  expect(await send('get_v1_files')).toMatchObject({ status: 200, data: [{ id }] })
  const { headers } = await send('head_v1_file_file_id', { file_id: id })
  expect(JSON.parse(headers['x-service-metadata'] ?? '')).toMatchObject({ progress_percent: 0, name: 'tone' })
  expect(await send('get_v1_file_file_id_ext', { file_id: id, ext: 'json' })).toMatchObject({ status: 200 })
  expect(await send('get_account')).toMatchObject({ data: { environment: 'sandbox' } })
  expect(await send('delete_v1_file_file_id', { file_id: id })).toMatchObject({ status: 200 })
  expect(await send('get_v1_file_file_id', { file_id: id })).toMatchObject({ status: 404 })
})
