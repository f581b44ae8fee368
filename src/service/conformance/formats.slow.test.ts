import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaExtension, mediaExtensions, mediaFormats } from '../../contract/interface/media-formats.ts'
import { makeSample } from '../platform/media/testing/make-sample.ts'
import { type BlackBox, filePart, head, openBlackBox, postForm, readError, readMetadata } from '../testing/black-box.ts'

let box: BlackBox
const samples = {} as Record<MediaExtension, Buffer>
beforeAll(async () => {
  // First, as the service cannot respond during it.
  const directory = mkdtempSync(join(tmpdir(), 'parley-formats-'))
  for (const extension of mediaExtensions) samples[extension] = readFileSync(makeSample(directory, extension))
  rmSync(directory, { recursive: true })
  box = await openBlackBox({ role: 'api' })
})
afterAll(() => box.close())

async function send(content: Uint8Array | string, type: string | null, name: string) {
  const { key } = await box.account()
  return { key, answer: await box.raw(postForm(key, [filePart(content, name, type)])) }
}

describe('4.2.4 Formats', () => {
  const cases = mediaExtensions.flatMap((extension) => {
    const { mimeTypes } = mediaFormats[extension]
    return [...mimeTypes, 'application/octet-stream', null].map((type) => [extension, type] as const)
  })

  it.each(cases)('4.2.4 %s sent as %s is created, with its length', async (extension, type) => {
    const { key, answer } = await send(samples[extension], type, `Talk.${extension}`)
    expect([answer.status, answer.body]).toEqual([201, expect.stringMatching(/^\{"id":"[^"]+"\}$/)])
    const { seconds, name, bytes } = readMetadata(
      await box.raw(head('HEAD', `file/${JSON.parse(answer.body).id}`, key), { isHead: true }),
    )
    expect([name, bytes]).toEqual(['Talk', String(samples[extension].byteLength)])
    expect(Math.abs(Number(seconds) - 2)).toBeLessThan(0.12)
  })

  it.each(mediaExtensions)(
    '4.2.4 a text that says it is %s is 415 listing the types, and nothing is kept',
    async (extension) => {
      const lie = 'This is not a recording. '.repeat(400)
      const { key, answer } = await send(lie, mediaFormats[extension].mimeTypes[0], `Talk.${extension}`)
      expect(answer.status).toBe(415)
      const error = readError(answer.body)
      for (const listed of mediaExtensions) expect(error).toContain(listed)
      expect((await box.raw(head('GET', 'files', key))).body).toBe('[]')
    },
  )

  it.each([
    'text/plain',
    'application/pdf',
    'image/png',
    'application/zip',
    'application/json',
    'audio/midi',
    'audio/basic',
    'video/x-unknown',
    'nonsense',
    'audio',
    'audio/*',
  ])('4.2.4 and 7: a recording declared as %s is 415 listing the types', async (type) => {
    const { answer } = await send(samples.wav, type, 'Talk.wav')
    expect(answer.status).toBe(415)
    expect(readError(answer.body)).toContain('mp3, wav, wma, wmv, avi, flv, mpg, mpeg, mp4, m4a, m4v, mov, ogg, webm')
  })

  it.each(['Talk.txt', 'Talk.exe', 'Talk', 'Talk.mp3', '.wav', ''])(
    '4.2.4 the name "%s" has no influence',
    async (name) => {
      expect((await send(samples.wav, 'audio/wav', name)).answer.status).toBe(201)
    },
  )
})
