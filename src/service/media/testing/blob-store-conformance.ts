import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../blob-store.ts'

type Opened = {
  store: BlobStore
  /** the same store after a crash and a new start */
  reopen(): Promise<BlobStore>
  /** a directory of the same disk for files of other writers */
  besides: string
  close(): Promise<void>
}

async function allIds(store: BlobStore): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.ids()) ids.push(id)
  return ids.sort()
}

async function stagedOf(store: BlobStore, content: Uint8Array) {
  const staged = await store.stage()
  await staged.append(content)
  return staged
}

/** What every `BlobStore` must do, whatever it stands on. */
export function blobStoreConformance(name: string, open: () => Promise<Opened>): void {
  describe(`${name} as a blob store`, () => {
    let opened: Opened
    let store: BlobStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.close())

    it('keeps exactly the bytes that were appended, in order, for any cutting', async () => {
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
            expect((await readFile(staged.path)).equals(whole)).toBe(true)
            await staged.keep(`f${run}`)
            expect((await buffer(store.read(`f${run}`, 'media'))).equals(whole)).toBe(true)
            expect(await store.size(`f${run}`, 'media')).toBe(whole.byteLength)
          },
        ),
        { numRuns: 40 },
      )
    })

    it('keeps ten thousand tiny chunks without waiting for more', async () => {
      const staged = await store.stage()
      for (let index = 0; index < 10_000; index += 1) await staged.append(Uint8Array.of(index % 251))
      await staged.keep('tiny')
      const kept = await buffer(store.read('tiny', 'media'))
      expect(kept.every((byte, index) => byte === index % 251)).toBe(true)
      expect(kept.byteLength).toBe(10_000)
    })

    it('shows nothing of a staged blob until it is kept', async () => {
      const staged = await stagedOf(store, Buffer.from('half'))
      expect(await allIds(store)).toEqual([])
      expect(await store.size('a', 'media')).toBeNull()
      await staged.keep('a')
      expect(await allIds(store)).toEqual(['a'])
    })

    it('leaves nothing of a discarded blob, even in the middle of a write', async () => {
      const staged = await store.stage()
      void staged.append(randomBytes(3_000_000))
      await staged.discard()
      await staged.discard()
      await expect(stat(staged.path)).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(staged.keep('a')).rejects.toThrow()
      expect(await allIds(store)).toEqual([])
    })

    it('does not touch a kept blob when it is discarded afterwards', async () => {
      const staged = await stagedOf(store, Buffer.from('kept'))
      await staged.keep('a')
      await staged.discard()
      expect(await text(store.read('a', 'media'))).toBe('kept')
    })

    it('forgets unfinished blobs that have not changed for some time, and keeps finished ones', async () => {
      const lost = await stagedOf(store, Buffer.from('lost'))
      await lost.finish()
      await (await stagedOf(store, Buffer.from('kept'))).keep('a')
      const again = await opened.reopen()
      expect(await allIds(again)).toEqual(['a'])
      const anHourAgo = Date.now() - 60 * 60_000
      for await (const id of again.ids(anHourAgo)) throw new Error(`${id} is new.`)
      await again.removeStaged(anHourAgo)
      await stat(lost.path)
      await again.removeStaged(Number.POSITIVE_INFINITY)
      expect(await text(again.read('a', 'media'))).toBe('kept')
      await expect(stat(lost.path)).rejects.toMatchObject({ code: 'ENOENT' })
      await lost.discard()
    })

    it('gives equal content equal hashes and other content, length or order others', async () => {
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

    it('tells same recordings from others byte by byte', async () => {
      const content = randomBytes(3_000_001)
      await (await stagedOf(store, content)).keep('a')
      const changed = Buffer.from(content)
      changed[2_500_000] = (changed[2_500_000] ?? 0) ^ 1
      const others = [changed, content.subarray(1), content.subarray(0, -1), Buffer.concat([content, content])]
      for (const other of [content, ...others]) {
        const staged = await stagedOf(store, other)
        expect(await staged.sameAs('a')).toBe(other === content)
        await staged.discard()
      }
    })

    it('takes a recording that is lost for another one', async () => {
      const staged = await stagedOf(store, Buffer.from('mine'))
      expect(await staged.sameAs('lost')).toBe(false)
      await staged.discard()
    })

    it('takes over a file of another writer', async () => {
      const path = join(opened.besides, 'resumed')
      await writeFile(path, 'from elsewhere')
      const staged = await store.adopt(path)
      expect((await staged.finish()).bytes).toBe(14)
      await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
      await staged.keep('a')
      expect(await text(store.read('a', 'media'))).toBe('from elsewhere')
    })

    it('writes parts whole, from streams, bytes and text, and replaces them', async () => {
      await store.write('a', 'words.json', Readable.from(['[', ']']))
      expect(await text(store.read('a', 'words.json'))).toBe('[]')
      await store.write('a', 'words.json', '[1]')
      expect(await text(store.read('a', 'words.json'))).toBe('[1]')
      await store.write('a', 'rendered/txt', new Uint8Array([104, 105]))
      expect(await readFile(store.localPath('a', 'rendered/txt'), 'utf8')).toBe('hi')
      expect(await store.size('a', 'rendered/txt')).toBe(2)
    })

    it('keeps the old part where a new one breaks off', async () => {
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

    it('fails with ENOENT for what is absent, and knows no size of it', async () => {
      await expect(text(store.read('a', 'media'))).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await store.size('a', 'media')).toBeNull()
    })

    it('removes every part, and quietly nothing where there is none', async () => {
      await (await stagedOf(store, Buffer.from('media'))).keep('a')
      await store.write('a', 'rendered/pdf', 'x')
      await store.write('b', 'media', 'y')
      await store.remove('a')
      await store.remove('a')
      expect(await allIds(store)).toEqual(['b'])
      expect(await store.size('a', 'rendered/pdf')).toBeNull()
    })

    it('takes no id or part that could leave its place', async () => {
      for (const id of ['', '.', '..', 'a/b', '../a', 'a\0', 'a'.repeat(129)]) {
        expect(() => store.localPath(id, 'media')).toThrow()
        await expect(store.remove(id)).rejects.toThrow()
      }
      for (const part of ['rendered/', 'rendered/..', 'rendered/../media', 'rendered/a/b'] as const) {
        expect(() => store.localPath('a', part)).toThrow()
      }
    })
  })
}
