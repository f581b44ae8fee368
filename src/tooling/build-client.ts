import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** Of the package; it follows the version of the interface. */
const packageJson = {
  name: '@parley/client',
  version: '1.0.0',
  description: 'A client of the Parley transcription service, without dependencies.',
  license: 'UNLICENSED',
  type: 'module',
  exports: { '.': { types: './parley.d.ts', default: './parley.js' } },
  files: ['*.js', '*.d.ts'],
}

/**
 * Builds the client as a package and packs it: `npm install https://<service>/parley-client.tgz`.
 * @returns the path of the archive
 */
export async function buildClient(outDir: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-client-'))
  try {
    await build({
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      build: {
        outDir: dir,
        emptyOutDir: true,
        target: 'es2022',
        minify: true,
        lib: { entry: 'src/client/parley.ts', formats: ['es'], fileName: 'parley' },
      },
    })
    const types = join(dir, 'types')
    execFileSync('node_modules/.bin/tsc', [
      '-p',
      'src/client',
      '--outDir',
      types,
      '--tsBuildInfoFile',
      join(dir, 'info'),
    ])
    cpSync(types, dir, { recursive: true })
    writeFileSync(join(dir, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`)
    const name = execFileSync('npm', ['pack', '--silent'], { cwd: dir, encoding: 'utf8' }).trim()
    mkdirSync(outDir, { recursive: true })
    const path = join(outDir, 'parley-client.tgz')
    cpSync(join(dir, name), path)
    return path
  } finally {
    rmSync(dir, { recursive: true })
  }
}
