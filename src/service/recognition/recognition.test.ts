import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { wordRecords } from '../../contract/words.ts'
import { startTestService, type TestService } from '../test-kit.ts'
import { speechClips } from './speech-clips.ts'

const clip = speechClips().find(({ id }) => id === 'austen-0880')

let kit: TestService
afterEach(() => kit.close())

async function untilProgress(key: string, id: string, percent: number): Promise<number> {
  for (;;) {
    const { progress_percent } = await kit.metadata(key, id)
    if (progress_percent >= percent) return progress_percent
    await new Promise<void>((resolve) => {
      const stop = kit.platform.changes.listen((change) => {
        if (change.kind !== 'file') return
        stop()
        resolve()
      })
    })
  }
}

describe('an automated order', () => {
  it.skipIf(clip === undefined)('comes back with the words that were said (needs the clips of ../shared)', async () => {
    kit = await startTestService()
    const { key } = await kit.account()
    const { id } = await kit.order(key, readFileSync(clip?.path ?? ''), '?transcript_type=automated')
    expect(await untilProgress(key, id, 100)).toBe(100)
    const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
    expect(words.map(({ word }) => word.toLowerCase())).toEqual(
      expect.arrayContaining(['he', 'was', 'not', 'young', 'man']),
    )
    expect(await kit.metadata(key, id)).toMatchObject({ delay_reason: null })
    expect(await kit.platform.blobs.size(id, 'peaks')).toBeGreaterThan(50)
  })

  it('of silence is an empty transcript', async () => {
    kit = await startTestService()
    const { key } = await kit.account()
    const silence = new Uint8Array(await kit.tone(3)).fill(0, 100)
    const { id } = await kit.order(key, silence, '?transcript_type=automated')
    await untilProgress(key, id, 100)
    expect(await (await kit.fetch(key, `file/${id}.json`)).json()).toEqual([])
  })
})
