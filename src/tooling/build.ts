import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, mergeConfig } from 'vite'
import { buildClient } from './build-client.ts'
import { collectPackages } from './bundled-packages.ts'
import { compressAssets } from './compress-assets.ts'
import { narrowFonts } from './narrow-fonts.ts'
import { writeNotices } from './write-notices.ts'

/**
 * The staff's pages, built separately into the same folder: as a second entry of the dashboard's build they would move
 * shared code into other chunks, and customers would load different files for it (decision 108).
 */
const workPages: InlineConfig = {
  configFile: false,
  publicDir: false,
  plugins: [react(), tailwindcss(), narrowFonts()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'work.html' },
  },
  worker: { format: 'es' },
}

/** Inputs of both builds. */
const common = ['src/web', 'src/contract', 'src/tooling/compress-assets.ts', 'package-lock.json']
/** Inputs of the dashboard's build: anything newer than the build makes it stale. */
const sources = [
  ...common,
  ...['src/text', 'src/formats', 'src/client', 'public', 'index.html', 'work.html', 'vite.config.ts'],
  ...[
    'src/tooling/page-chunks.ts',
    'src/tooling/write-notices.ts',
    'src/tooling/build-client.ts',
    'src/tooling/narrow-fonts.ts',
  ],
  'src/service/recognition/models/pins.ts',
]
/** Of /docs, which describes the service's routes. */
const referenceSources = [...common, 'src/reference', 'src/service', 'src/tooling/build-reference.ts']
/** Written last: without it, a build was aborted and does not count. */
const marks = { dashboard: 'dist/.built', reference: 'dist/.built-docs' }

/** The newest modification time below a path, in milliseconds. */
function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** True when a build finished after its last source changed. */
function isFresh(mark: string, inputs: readonly string[]): boolean {
  const builtAt = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
  return builtAt !== undefined && inputs.every((path) => newest(path) <= builtAt)
}

if (process.argv.includes('--force') || !isFresh(marks.dashboard, sources)) {
  console.log('Building the dashboard…')
  // Empties the folder, and /docs with it.
  const bundled = new Set<string>()
  const collected = { plugins: [collectPackages(bundled)], worker: { plugins: () => [collectPackages(bundled)] } }
  await build({ ...collected, logLevel: 'warn' })
  await build(mergeConfig({ ...workPages, logLevel: 'warn' }, collected))
  writeNotices('.', 'dist', bundled)
  await buildClient('dist')
  await compressAssets('dist')
  writeFileSync(marks.dashboard, '')
}
if (!isFresh(marks.reference, referenceSources)) {
  console.log('Building /docs…')
  const { buildReference } = await import('./build-reference.ts')
  await buildReference('dist/docs')
  writeFileSync(marks.reference, '')
}
