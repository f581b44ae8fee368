import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { accountClient } from '../../testing/account-client.ts'
import { boundary, head } from '../../testing/black-box.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { UploadClient } from '../uploads/testing/upload-client.ts'

let service: TestService
let key: string
beforeEach(async () => {
  service = await startTestService({ graceMs: 1_000 })
  key = (await service.account()).key
})
afterEach(() => service.close())

/** Opens a connection and starts a request. */
async function begin(text: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
  await once(socket, 'connect')
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  let received = ''
  socket.on('error', () => undefined).once('close', () => resolve(received))
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk))
  socket.write(text)
  return { socket, answer }
}

it('an upload in progress at shutdown gets an error, and a resumable one continues afterwards', async () => {
  const lines = [`Content-Type: multipart/form-data; boundary=${boundary}`, 'Content-Length: 1000000']
  const form = await begin(
    `${head('POST', 'files', key, lines)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF`,
  )
  const uploads = new UploadClient(service, key)
  const path = await uploads.created(100_000)
  const octets = ['Tus-Resumable: 1.0.0', 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream']
  const patch = await begin(head('PATCH', path, key, [...octets, 'Content-Length: 100000']) + 'x'.repeat(30_000))
  await expect.poll(() => readdir(join(service.dataDir, 'blobs/staging'))).toHaveLength(1)
  await expect.poll(() => readdir(join(service.dataDir, 'uploads'))).toHaveLength(1)
  const ended = service.restart()
  for (const { answer } of [form, patch]) {
    const text = await answer
    expect(text).toMatch(/^HTTP\/1\.1 503 /)
    expect(text).toMatch(/restarting/)
  }
  await ended
  expect((await uploads.send('HEAD', path)).headers.get('upload-offset')).toBe('30000')
  expect(await (await service.fetch(key, 'files')).json()).toEqual([])
})

it('a link whose server goes silent is given up with a 503', async () => {
  const asked = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' }).write('RIFF')
    asked.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await service.close()
  service = await startTestService({ graceMs: 1_000, allowTargets: [host] })
  key = (await service.account()).key
  const form = new FormData()
  form.append('link', `http://${host}/a.wav`)
  const sent = service.fetch(key, 'files', { method: 'POST', body: form })
  await asked.promise
  await service.restart()
  expect((await sent).status).toBe(503)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('a player that reads nothing is cut off', async () => {
  const { id } = await service.order(key, await service.tone(600), '?transcript_type=automated')
  const { url } = await accountClient(service.address, key).read<{ url: string }>('POST', `files/${id}/playback`)
  const { socket } = await begin(head('GET', url, key))
  await once(socket, 'data')
  socket.pause()
  await service.restart()
  socket.destroy()
  expect((await service.fetch(key, 'files')).status).toBe(200)
})
