import { expect, it } from 'vitest'
import { findTwins } from './twins.ts'
import type { Upload } from './upload.ts'

/** A recording of the tray, all with the same bytes, as dropped with its folders. */
function dropped(path: string): Upload {
  const file = Object.assign(new File(['same'], path), { path })
  const inspection = { fingerprint: 'same' }
  return {
    id: path,
    name: path.split('/').at(-1),
    source: { kind: 'file', file },
    inspection,
    state: { is: 'draft' },
  } as unknown as Upload
}

it.each([
  ['interviews/backup/08.m4a', 'interviews/08.m4a'],
  ['a copy of 08.m4a', 'b.m4a'],
  ['Interview 08 (1).m4a', 'Interview 08.m4a'],
  ['a/Interview 08 - backup.m4a', 'a/Interview 08.m4a'],
])('of equal recordings %s is left out, %s ordered', (copy, meant) => {
  const pair = [copy, meant].toSorted().join(' ')
  for (const tray of [
    [copy, meant],
    [meant, copy],
  ]) {
    const twins = findTwins(tray.map(dropped), [], new Map([[pair, true]]))
    expect([...twins].map(([id, { upload }]) => [id, upload.id])).toEqual([[copy, meant]])
  }
})
