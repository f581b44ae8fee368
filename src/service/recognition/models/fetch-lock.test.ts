import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFetching } from './fetch-lock.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-lock-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('the lock', () => {
  it('belongs to one at a time and comes back', async () => {
    const release = await lockFetching(root)
    expect(release).not.toBeNull()
    expect(await lockFetching(root)).toBeNull()
    await release?.()
    const again = await lockFetching(root)
    expect(again).not.toBeNull()
    await again?.()
  })

  it('of a process that is gone, or that has not moved for long, is taken over', async () => {
    writeFileSync(join(root, 'fetching.lock'), 'another-machine 999999999')
    expect(await lockFetching(root), 'whether it is gone cannot be seen from here').toBeNull()
    writeFileSync(join(root, 'fetching.lock'), `${hostname()} 999999999`)
    const first = await lockFetching(root)
    expect(first).not.toBeNull()
    await first?.()
    writeFileSync(join(root, 'fetching.lock'), `${hostname()} ${process.pid}`)
    utimesSync(join(root, 'fetching.lock'), 0, 0)
    const second = await lockFetching(root)
    expect(second).not.toBeNull()
    await second?.()
  })
})
