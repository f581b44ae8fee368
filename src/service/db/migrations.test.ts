import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { migrations } from './migrations.ts'

/** SHA-256 of each migration's statements, as databases out there have run them. A new migration adds its line here. */
const shipped: Readonly<Record<string, string>> = {
  '001-first': '01f7486311dce93b0e44d3ac631d5e1ea1ffa1903cfea0e1e7994db268d04cf1',
  '002-refund-tries': 'cdbc9a9cc4e7f35d25826f2788bc7606ad2bf136d2b71755c1cd9aa0f1deb6e3',
}

it('a migration that has shipped is never changed: another one follows it', () => {
  const digests = migrations.map(({ name, statements }) => [
    name,
    createHash('sha256').update(JSON.stringify(statements)).digest('hex'),
  ])
  expect(digests).toEqual(Object.entries(shipped))
})
