import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Playback } from '../../../src/contract/account/file-pages.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi, authorization } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench, Measurement } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { wavHeader } from '../bench/wav-header.ts'
import { comesTrue, newKey, p99, quiet, Tally, timed } from './rounds.ts'

const streamsOfKey = 20
const keys = unlessShort(100, 2)
const idle = unlessShort(1_000, 20)
const readers = unlessShort(200, 5)
const reads = unlessShort(500, 20)

/** A connection that writes a request, or a part of one, and reads nothing. */
function open(service: ServiceProcess, request: string): Socket {
  const socket = connect(Number(service.url.port), service.url.hostname)
  socket.on('error', () => undefined).pause()
  if (request !== '') socket.write(request)
  return socket
}
const get = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization(key)}\r\n\r\n`

/** Latency of another account's reads in the presence of these connections. */
async function beside(what: string, service: ServiceProcess, key: string, sockets: Socket[]): Promise<Measurement> {
  const timesMs: number[] = []
  await comesTrue(() => sockets.every(({ connecting }) => !connecting), 30_000)
  for (let count = 0; count < reads; count += 1) timesMs.push(await timed(() => askApi(service.url, key, 'files')))
  for (const socket of sockets) socket.destroy()
  return p99(`another account's reads beside ${what}`, timesMs, 100)
}

/** One account's bursts, and their effect on others. */
export const tortureLoad: Bench = async () => {
  const service = await ServiceProcess.start(quiet)
  try {
    const crowd = await newKey(service, 'sandbox')
    const other = await newKey(service, 'live')
    const client = accountClient(service.url, crowd)
    const streams: Socket[] = []
    const opened = new Tally('event streams opened')
    for (let count = 0; count < keys; count += 1) {
      // Its first key is one of a hundred that it may have.
      const made = count === 0 ? crowd : (await client.read<{ key: string }>('POST', 'keys', { name: `${count}` })).key
      for (let stream = 0; stream < streamsOfKey; stream += 1) {
        const socket = open(service, get('/sandbox/account/events', made))
        socket.resume().once('data', (head) => opened.count(String(head).startsWith('HTTP/1.1 200'), String(head)))
        streams.push(socket)
      }
      await wait(50) // rate limit: 20 writes per second and key
    }
    const rows = [await beside(`${streams.length} open streams`, service, other, streams)]
    const silent = Array.from({ length: idle }, (_, index) =>
      open(service, index % 2 === 0 ? '' : 'GET / HTTP/1.1\r\n'),
    )
    rows.push(await beside(`${idle} idle connections`, service, other, silent))
    const bytes = unlessShort(200_000_000, 5_000_000)
    const recording = Buffer.concat([wavHeader(bytes), Buffer.alloc(bytes)])
    const answer = await askApi(service.url, crowd, 'files', { method: 'POST', body: fileForm(recording) })
    const { id } = (await answer.json()) as { id: string }
    const { url } = await client.read<Playback>('POST', `files/${id}/playback`)
    const deaf = Array.from({ length: readers }, () => open(service, get(url, crowd)))
    rows.push(await beside(`${readers} readers that take nothing`, service, other, deaf))
    return [...rows, ...opened.rows()]
  } finally {
    await service.remove()
  }
}
