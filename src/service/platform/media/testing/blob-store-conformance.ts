import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore, StagedBlob } from '../blob-store.ts'
import { readContent } from './read-content.ts'

type Opened = {
  store: BlobStore
  /** the same store after a crash and a new start */
  reopen(): Promise<BlobStore>
  /** the stored bytes of recordings that are not kept */
  unkept(): Promise<readonly string[]>
  close(): Promise<void>
}

async function allIds(store: BlobStore): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.ids()) ids.push(id)
  return ids.sort()
}

/** Keeps it under its required id, else under that name. */
async function keep(staged: StagedBlob, name: string): Promise<string> {
  const id = staged.fileId ?? name
  await staged.keep(id)
  return id
}

async function stagedOf(store: BlobStore, content: Uint8Array) {
  const staged = await store.stage()
  await staged.append(content)
  return staged
}

/** The contract of every `BlobStore`, whatever its storage. */
export function blobStoreConformance(name: string, open: () => Promise<Opened>): void {
  describe(`${name} as a blob store`, () => {
    let opened: Opened
    let store: BlobStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.close())

    it('keeps exactly the appended bytes, in order, for any chunking', async () => {
      let run = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(fc.nat(3), fc.nat(100_000), fc.constant(1_048_576)), { maxLength: 12 }),
          async (sizes) => {
            run += 1
            const chunks = sizes.map((size) => randomBytes(size))
            const staged = await store.stage()
            for (const chunk of chunks) await staged.append(chunk)
            const whole = Buffer.concat(chunks)
            expect(staged.bytes).toBe(whole.byteLength)
            expect((await staged.finish()).bytes).toBe(whole.byteLength)
            expect((await staged.withMedia(readContent)).equals(whole)).toBe(true)
            const id = await keep(staged, `f${run}`)
            expect((await buffer(store.read(id, 'media'))).equals(whole)).toBe(true)
            expect((await store.withMedia(id, readContent)).equals(whole)).toBe(true)
            expect(await store.size(id, 'media')).toBe(whole.byteLength)
          },
        ),
        { numRuns: 30 },
      )
    })

    it('keeps ten thousand tiny chunks without waiting for more', async () => {
      const staged = await store.stage()
      for (let index = 0; index < 10_000; index += 1) await staged.append(Uint8Array.of(index % 251))
      const id = await keep(staged, 'tiny')
      const kept = await buffer(store.read(id, 'media'))
      expect(kept.every((byte, index) => byte === index % 251)).toBe(true)
      expect(kept.byteLength).toBe(10_000)
    })

    it('shows nothing of a staged blob until it is kept', async () => {
      const staged = await stagedOf(store, Buffer.from('half'))
      expect(await allIds(store)).toEqual([])
      expect(await store.size('a', 'media')).toBeNull()
      const id = await keep(staged, 'a')
      expect(await allIds(store)).toEqual([id])
    })

    it('leaves nothing of a discarded blob, even in the middle of a write', async () => {
      const staged = await store.stage()
      const writing = staged.append(randomBytes(20_000_000)).catch(() => undefined)
      await staged.discard()
      await staged.discard()
      await writing
      expect(await opened.unkept()).toEqual([])
      await expect(staged.keep(staged.fileId ?? 'a')).rejects.toThrow()
      expect(await allIds(store)).toEqual([])
    })

    it('does not touch a kept blob when it is discarded afterwards', async () => {
      const staged = await stagedOf(store, Buffer.from('kept'))
      const id = await keep(staged, 'a')
      await staged.discard()
      expect(await text(store.read(id, 'media'))).toBe('kept')
    })

    it('forgets unfinished blobs that have not changed for some time, and keeps finished ones', async () => {
      const lost = await stagedOf(store, randomBytes(9_000_000))
      const id = await keep(await stagedOf(store, Buffer.from('kept')), 'a')
      const again = await opened.reopen()
      expect(await allIds(again)).toEqual([id])
      const anHourAgo = Date.now() - 60 * 60_000
      for await (const old of again.ids(anHourAgo)) throw new Error(`${old} is new.`)
      await again.removeStaged(anHourAgo, new Set())
      expect(await opened.unkept()).toHaveLength(1)
      await again.removeStaged(Number.POSITIVE_INFINITY, new Set())
      expect(await text(again.read(id, 'media'))).toBe('kept')
      expect(await opened.unkept()).toEqual([])
      await lost.discard()
    })

    it('gives equal content equal hashes, and different hashes for other content, length or order', async () => {
      const hashes = await Promise.all(
        ['same', 'same', 'sama', 'same ', ''].map(async (content) => {
          const staged = await stagedOf(store, Buffer.from(content))
          const { contentHash } = await staged.finish()
          await staged.discard()
          return contentHash
        }),
      )
      expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
      expect(hashes[1]).toBe(hashes[0])
      expect(new Set(hashes).size).toBe(4)
    })

    it('compares recordings byte by byte', async () => {
      const content = randomBytes(3_000_001)
      const id = await keep(await stagedOf(store, content), 'a')
      const changed = Buffer.from(content)
      changed[2_500_000] = (changed[2_500_000] ?? 0) ^ 1
      const others = [changed, content.subarray(1), content.subarray(0, -1), Buffer.concat([content, content])]
      for (const other of [content, ...others]) {
        const staged = await stagedOf(store, other)
        expect(await staged.sameAs(id)).toBe(other === content)
        await staged.discard()
      }
    })

    it('treats a lost recording as different', async () => {
      const staged = await stagedOf(store, Buffer.from('mine'))
      expect(await staged.sameAs('lost')).toBe(false)
      await staged.discard()
    })

    it('writes parts whole, from streams, bytes and text, and replaces them', async () => {
      await store.write('a', 'words.json', Readable.from(['[', ']']))
      expect(await text(store.read('a', 'words.json'))).toBe('[]')
      await store.write('a', 'words.json', '[1]')
      expect(await text(store.read('a', 'words.json'))).toBe('[1]')
      await store.write('a', 'rendered/txt', new Uint8Array([104, 105]))
      expect(await text(store.read('a', 'rendered/txt'))).toBe('hi')
      expect(await store.size('a', 'rendered/txt')).toBe(2)
    })

    it('keeps the old part if a new one is cut off', async () => {
      await store.write('a', 'words.json', 'old')
      const broken = new Readable({ read: () => undefined })
      broken.push('ne')
      const written = store.write('a', 'words.json', broken)
      broken.destroy(new Error('broke off'))
      await expect(written).rejects.toThrow('broke off')
      expect(await text(store.read('a', 'words.json'))).toBe('old')
    })

    it('reads ranges with both ends included', async () => {
      await store.write('a', 'media', '0123456789')
      expect(await text(store.read('a', 'media', { start: 2, end: 4 }))).toBe('234')
    })

    it('fails with ENOENT for an absent part, and has no size for it', async () => {
      await expect(text(store.read('a', 'media'))).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await store.size('a', 'media')).toBeNull()
    })

    it('removes one part of a file and keeps the others, or silently nothing if there is none', async () => {
      const id = await keep(await stagedOf(store, Buffer.from('media')), 'a')
      await store.write(id, 'peaks', 'x')
      await store.write(id, 'words.json', '[]')
      for (const part of ['media', 'peaks', 'peaks'] as const) await store.remove(id, part)
      expect([await store.size(id, 'media'), await store.size(id, 'peaks')]).toEqual([null, null])
      expect(await text(store.read(id, 'words.json'))).toBe('[]')
      expect(await allIds(store)).toEqual([id])
    })

    it('removes every part, or silently nothing if there is none', async () => {
      const id = await keep(await stagedOf(store, Buffer.from('media')), 'a')
      await store.write(id, 'rendered/pdf', 'x')
      await store.write('b', 'media', 'y')
      await store.remove(id)
      await store.remove(id)
      expect(await allIds(store)).toEqual(['b'])
      expect(await store.size(id, 'rendered/pdf')).toBeNull()
    })

    it('refuses an id or part with path traversal', async () => {
      for (const id of ['', '.', '..', 'a/b', '../a', 'a\0', 'a'.repeat(129)]) {
        await expect(store.size(id, 'media')).rejects.toThrow()
        await expect(store.remove(id)).rejects.toThrow()
      }
      for (const part of ['rendered/', 'rendered/..', 'rendered/../media', 'rendered/a/b'] as const) {
        await expect(store.size('a', part)).rejects.toThrow()
      }
    })
  })
}
