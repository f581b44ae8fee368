import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeNotices } from './write-notices.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-notices-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

const readNotices = async () => await readFile(join(folder, 'notices.txt'), 'utf8')

test('the notices name what production installs, with license texts, those of the fonts too', async () => {
  writeNotices(join(import.meta.dirname, '../..'), folder)
  const notices = await readNotices()
  expect(notices).toMatch(/^react \d\S+ \(MIT\)$/m)
  expect(notices).toContain('Copyright (c) Meta Platforms')
  expect(notices).toMatch(/^@fontsource-variable\/geist \d\S+ \(OFL-1.1\)$/m)
  expect(notices).toContain('SIL OPEN FONT LICENSE Version 1.1')
  expect(notices).toMatch(/^dejavu-fonts-ttf \S+ \(Bitstream Vera/m)
  expect(notices).toContain('Bitstream, Inc. All Rights Reserved')
  expect(notices).toMatch(/^tailwindcss \d\S+ \(MIT\)$/m)
  expect(notices).toMatch(/^node \d\S+ \(MIT\)\n\nNode.js is licensed for use as follows/m)
  expect(notices).toMatch(/^parakeet-110m: .*\n {2}CC-BY-4.0/m)
  expect(notices).toMatch(/^ffmpeg.*\n {2}GPL/m)
  expect(notices).not.toMatch(/^(axios|vitest|typescript) \d/m)
})

test('a license that nobody has read fails the build, unless only development needs it', async () => {
  const install = async (path: string, license?: string) => {
    await mkdir(join(folder, path), { recursive: true })
    const name = path.slice('node_modules/'.length)
    await writeFile(
      join(folder, path, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', license, author: 'Ann' }),
    )
  }
  const lock = (packages: object) => writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const tool = { 'node_modules/tool': { version: '1.0.0', dev: true } }
  const elsewhere = { 'node_modules/of-another-system': { version: '1.0.0', optional: true } }
  await install('node_modules/tool', 'GPL-3.0')
  await install('node_modules/part', 'MIT')
  await lock({ ...tool, ...elsewhere, 'node_modules/part': { version: '1.0.0' } })
  writeNotices(folder, folder)
  expect(await readNotices()).toContain('part 1.0.0 (MIT)\n\nIt comes without a license text; its author is Ann.')
  expect(() => writeNotices(folder, folder, new Set(['tool']))).toThrow('tool 1.0.0 has the license "GPL-3.0"')
  const model = { id: 'ears', about: 'speech', license: 'CC-BY-NC-4.0' }
  expect(() => writeNotices(folder, folder, new Set(), [model])).toThrow('The model ears has the license "CC-BY-NC')
  for (const license of ['GPL-3.0', undefined]) {
    await install('node_modules/part', license)
    expect(() => writeNotices(folder, folder)).toThrow(`part 1.0.0 has the license "${license ?? 'none'}"`)
  }
})
