import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildClient } from './build-client.ts'

const program = `import { Parley } from '@parley/client'
const parley = new Parley({ key: 'parley_test_k', url: 'http://127.0.0.1:9', retries: 0 })
const names = async (): Promise<string[]> => {
  const answer = await parley.call('get /account/projects')
  return answer.projects.map(({ name }) => name)
}
// @ts-expect-error there is no such operation
void parley.call('get /account/nothing').catch(() => {})
await names().catch((error: Error) => console.log(error.name))
`

test('the package is small, has no dependencies, and serves a program that is not ours with its types', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-program-'))
  try {
    const archive = await buildClient(dir)
    const home = join(dir, 'node_modules', '@parley', 'client')
    await mkdir(home, { recursive: true })
    execFileSync('tar', ['xzf', archive, '-C', home, '--strip-components=1'])
    expect(gzipSync(await readFile(join(home, 'parley.js'))).length).toBeLessThan(12 * 1_024)
    expect(JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
    await writeFile(join(dir, 'package.json'), '{"type":"module"}')
    const path = join(dir, 'program.ts')
    await writeFile(path, program)
    const flags = [
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
      '--strict',
      '--noEmit',
      '--ignoreConfig',
    ]
    execFileSync('tsc', [...flags, path], { stdio: 'pipe' })
    expect(execFileSync(process.execPath, [path], { encoding: 'utf8' })).toBe('ParleyError\n')
  } finally {
    await rm(dir, { recursive: true })
  }
}, 120_000)
