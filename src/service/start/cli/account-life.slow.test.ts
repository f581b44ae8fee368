import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDirectory } from '../../platform/data-directory.ts'
import { accountClient } from '../../testing/account-client.ts'
import { firstKey, type RealProcess, runParley, serveProcess } from '../../testing/real-process.ts'
import { accountExport } from './account-life.ts'
import { withDatabase } from './operate.ts'
import { readConfig } from './read-config.ts'

let dir: string
let dataDir: string
let service: RealProcess
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-life-'))
  dataDir = join(dir, 'data')
  service = await serveProcess(dataDir)
})
afterEach(async () => {
  await service.end('SIGKILL')
  await rm(dir, { recursive: true })
})

test('operators list, export, close and reopen accounts beside the running service', async () => {
  const client = accountClient(service.url.href, firstKey(service, 'sandbox'))
  await client.read('POST', 'tools/files', { seconds: 20, progress_percent: 100 })
  const { id } = await client.read<{ id: string }>('GET', '')
  const parley = async (...words: string[]) => {
    const { out, error } = await runParley(dataDir, ...words)
    if (error !== '') return error
    return out.split('\n').map((line) => JSON.parse(line))
  }
  expect(await parley('account', 'list')).toMatchObject([
    { environment: 'live', files: 0, last_order: null, state: 'open' },
    { account: id, files: 1, state: 'open' },
  ])
  const file = join(dir, 'all.zip')
  expect(await parley('account', 'export', id, file, '--no-recordings')).toMatchObject([
    { account: id, file, files: 1 },
  ])
  const names = execFileSync('python3', ['-m', 'zipfile', '-l', file], { encoding: 'utf8' })
  expect(names).toContain('transcript.docx')
  expect(names).not.toContain('recording.')
  expect(await parley('account', 'export', id, file)).toContain('cannot be written: ')

  const { balance_cents } = await client.read<{ balance_cents: number }>('GET', 'balance')
  const left = { balance_cents, due_cents: 0 }
  expect(balance_cents).toBeGreaterThan(0)
  expect(await parley('account', 'show', id)).toMatchObject([left])
  expect(await parley('account', 'list')).toMatchObject([{ balance_cents: 0 }, { ...left, currency: 'USD' }])
  expect(await parley('account', 'close', id)).toMatchObject([
    {
      statement: expect.stringContaining('/closed/cls_'),
      ...left,
      money: expect.stringMatching(/balance of .* goes back/),
    },
  ])
  expect((await client.ask('POST', 'keys', { name: 'Another' })).status).toBe(403)
  expect(await parley('account', 'show', id)).toMatchObject([{ closing: { erased: null } }])
  expect(await parley('account', 'reopen', id)).toEqual([{ account: id, state: 'open' }])
  expect((await client.ask('POST', 'keys', { name: 'Another' })).status).toBe(201)
  await service.end('SIGTERM')
  const config = readConfig({ data: dataDir }, {})
  const late = join(dir, 'late.zip')
  const asked = withDatabase(config, (db) => accountExport(db, config, [id, late], false))
  await expect(asked).rejects.toThrow(/^No service runs on .* makes the export\. Start it,/)
  expect(existsSync(late)).toBe(false)
  // One that makes no exports: nothing is left that would be in the way of the next try.
  const end = lockDataDirectory(dataDir)
  for (const _ of ['once', 'again']) {
    const asked = withDatabase(config, (db) => accountExport(db, config, [id, late], false, -1_000))
    await expect(asked).rejects.toThrow('No service makes the export.')
    expect(existsSync(late)).toBe(false)
  }
  end()
  expect(await parley('account', 'close', 'nobody')).toContain('There is no account nobody.')
})
