import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { directoryOf, localHeader, type ZipEntry } from './zip-format.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-zip-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const script = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
  entries = z.infolist()
  last = entries[-1]
  print(len(entries), last.filename, last.file_size, last.header_offset, last.date_time)
  print(z.open(last).read(5))`
const readByPython = (path: string) => execFileSync('python3', ['-c', script, path], { encoding: 'utf8' })

const entry = (name: string, bytes: number, offset: number, crc = 0): ZipEntry => {
  return { name, method: 'stored', crc, bytes, packedBytes: bytes, offset, changedAt: Date.UTC(2026, 10, 16, 12, 0, 2) }
}

test('more than 4 GB and an entry behind them are found by another program', () => {
  const path = join(folder, 'large.zip')
  const file = openSync(path, 'w')
  const large = entry('Großes.wav', 5_000_000_000, 0)
  const behind = localHeader(large).length + large.bytes
  const words = Buffer.from('hello')
  const small = entry('behind.txt', words.length, behind, crc32(words))
  // The recording is a hole of the file: nobody reads it here.
  writeSync(file, localHeader(large), 0, null, 0)
  writeSync(file, Buffer.concat([localHeader(small), words]), 0, null, behind)
  const end = behind + localHeader(small).length + words.length
  writeSync(file, Buffer.concat([...directoryOf([large, small], end)]), 0, null, end)
  expect(readByPython(path)).toBe(`2 behind.txt 5 ${behind} (2026, 11, 16, 12, 0, 2)\nb'hello'\n`)
})

test('so are more than 65,535 entries', () => {
  const path = join(folder, 'many.zip')
  const words = Buffer.from('hello')
  const parts: Buffer[] = []
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < 70_000; index += 1) {
    const one = entry(`files/${index}.txt`, words.length, at, crc32(words))
    const header = localHeader(one)
    parts.push(header, words)
    entries.push(one)
    at += header.length + words.length
  }
  writeFileSync(path, Buffer.concat([...parts, ...directoryOf(entries, at)]))
  expect(readByPython(path)).toMatch(/^70000 files\/69999.txt 5 \d+ /)
})
