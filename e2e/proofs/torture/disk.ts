import { join } from 'node:path'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { wavHeader } from '../bench/wav-header.ts'
import { quiet, Tally } from './rounds.ts'

const rounds = unlessShort(10, 1)
const recordingBytes = 1_500_000

type Tallies = { refused: Tally; searched: Tally; emptied: Tally; again: Tally }

/** Fills a new disk, empties it and orders again. */
async function fillAndEmpty({ refused, searched, emptied, again }: Tallies): Promise<void> {
  const service = await ServiceProcess.start(quiet, join(import.meta.dirname, 'on-small-disk.ts'))
  try {
    const key = /parley_live_\w+/.exec(service.output)?.[0] ?? ''
    const ask = (path: string, init?: RequestInit) => askApi(service.url, key, path, init)
    const order = async (bytes: number) => {
      const recording = Buffer.concat([wavHeader(bytes), Buffer.alloc(bytes, Math.floor(Math.random() * 256))])
      return (await ask('files', { method: 'POST', body: fileForm(recording) })).status
    }
    let ordered = 0
    // Large ones until one does not fit, then smaller ones, until nothing fits.
    for (let bytes = recordingBytes; bytes > 1_000; bytes = Math.floor(bytes / 4)) {
      let status = await order(bytes)
      for (; status === 201; status = await order(bytes)) ordered += 1
      refused.count(status === 507, `was answered ${status}`)
    }
    const found = await ask('../account/search?q=anything')
    searched.count(found.status === 200, `was answered ${found.status}: ${await found.text()}`)
    const files = (await (await ask('files')).json()) as { id: string }[]
    refused.count(files.length === ordered, `${ordered} were ordered and ${files.length} are there`)
    for (const { id } of files) {
      const { status } = await ask(`file/${id}`, { method: 'DELETE' })
      emptied.count(status === 200, `was answered ${status}`)
    }
    const status = await order(recordingBytes)
    again.count(status === 201, `was answered ${status}`)
  } finally {
    await service.remove()
  }
}

/** A full disk: orders are refused and not charged, searches answered, its owner can empty it, and service resumes. */
export const tortureDisk: Bench = async () => {
  const refused = new Tally('orders on a full disk')
  const searched = new Tally('searches on a full disk')
  const emptied = new Tally('deletions on a full disk')
  const again = new Tally('orders after that')
  for (let round = 0; round < rounds; round += 1) await fillAndEmpty({ refused, searched, emptied, again })
  return [...refused.rows(), ...searched.rows(), ...emptied.rows(), ...again.rows()]
}
