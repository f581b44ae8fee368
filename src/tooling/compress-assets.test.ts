import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressAssets } from './compress-assets.ts'

test('built files that benefit get compressed copies; small and already compressed files do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-assets-'))
  try {
    const code = 'export const word = 1\n'.repeat(500)
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'assets/code.js'), code)
    await writeFile(join(folder, 'assets/small.js'), 'export {}')
    await writeFile(join(folder, 'assets/packed.woff2'), randomBytes(5_000))
    await compressAssets(folder)
    expect((await readdir(join(folder, 'assets'))).sort()).toEqual([
      'code.js',
      'code.js.br',
      'code.js.gz',
      'packed.woff2',
      'small.js',
    ])
    expect(brotliDecompressSync(await readFile(join(folder, 'assets/code.js.br'))).toString()).toBe(code)
    expect(gunzipSync(await readFile(join(folder, 'assets/code.js.gz'))).toString()).toBe(code)
  } finally {
    await rm(folder, { recursive: true })
  }
})
