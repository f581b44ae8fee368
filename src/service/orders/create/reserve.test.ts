import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxRetentionMs } from '../../../contract/interface/limits.ts'
import { UploadClient } from '../../api/uploads/testing/upload-client.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

/** A small disk for this test, which may be filled. */
const disk = mkdtempSync(join(tmpdir(), 'parley-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=260m', 'tmpfs', disk]).status === 0

describe.skipIf(!isMounted)('a full disk (needs the right to mount)', () => {
  let service: TestService
  let key: string
  beforeAll(async () => {
    service = await startTestService({ dataDir: disk })
    key = (await service.account()).key
  })
  afterAll(async () => {
    service.loggedErrors.length = 0 // errors of writes while it was full
    await service.close()
    spawnSync('umount', [disk])
    rmdirSync(disk)
  })

  const hasReserve = async () => (await readdir(disk)).includes('reserve')

  /** Fills the disk to the last byte, the database's journal included. */
  async function fill(): Promise<void> {
    await service.doChores()
    expect(await hasReserve()).toBe(true)
    const filler = await open(join(disk, 'filler'), 'a')
    for (const bytes of [1_000_000, 4_096]) {
      while (await filler.write(Buffer.alloc(bytes)).catch(() => null));
    }
    await filler.close()
    const client = accountClient(service.address, key)
    for (let status = 200; status !== 507; ) {
      status = (await client.ask('PUT', 'settings', { notes: `${Math.random()}`.repeat(3_000) })).status
    }
  }

  it('can be emptied by its owner: a file is deleted with its refund, and the reserve is restored', async () => {
    const { id } = await service.order(key, await service.tone(60))
    await fill()
    expect((await service.post(key, await service.tone(60))).status).toBe(507)
    expect((await service.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await hasReserve()).toBe(false)
    expect(await (await service.fetch(key, 'files')).json()).toEqual([])
    await rm(join(disk, 'filler'))
    await service.doChores()
    expect(await hasReserve()).toBe(true)
  })

  it('frees the space of an abandoned upload', async () => {
    const uploads = new UploadClient(service, key)
    const path = await uploads.created(1_000_000)
    await uploads.patch(path, 0, new Uint8Array(500_000))
    await fill()
    expect((await uploads.send('DELETE', path)).status).toBe(204)
    expect(await readdir(join(disk, 'uploads'))).toEqual([])
    await rm(join(disk, 'filler'))
  })

  it('does not block the sandbox’s clean-up after a day', async () => {
    await service.order(key, await service.tone(60))
    await fill()
    service.advance(sandboxRetentionMs)
    await service.doChores()
    expect(await readdir(join(disk, 'blobs/files'))).toEqual([])
    expect(await service.platform.db.selectFrom('files').select('id').execute()).toEqual([])
    await rm(join(disk, 'filler'))
  })
})
