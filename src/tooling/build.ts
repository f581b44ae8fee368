import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'
import { compressAssets } from './compress-assets.ts'
import { writeNotices } from './write-notices.ts'

/**
 * The staff's pages, built separately into the same folder: as a second entry of the dashboard's build they would move
 * shared code into other chunks, and customers would load different files for it (decision 108).
 */
const workPages: InlineConfig = {
  configFile: false,
  publicDir: false,
  plugins: [react(), tailwindcss()],
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

/** Inputs of the dashboard's build: anything newer than the build makes it stale. */
const sources = [
  'src/web',
  'src/contract',
  'src/text',
  'src/formats',
  'public',
  'index.html',
  'work.html',
  'vite.config.ts',
  'src/tooling/page-chunks.ts',
  'src/tooling/compress-assets.ts',
  'src/tooling/write-notices.ts',
  'package-lock.json',
]
/** Written last: without it, a build was aborted and does not count. */
const built = 'dist/.built'

/** The newest modification time below a path, in milliseconds. */
function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** True when the dashboard was built after its last source changed. */
function isFresh(): boolean {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs
  return builtAt !== undefined && sources.every((path) => newest(path) <= builtAt)
}

if (process.argv.includes('--force') || !isFresh()) {
  console.log('Building the dashboard…')
  await build({ logLevel: 'warn' })
  await build({ ...workPages, logLevel: 'warn' })
  writeNotices('.', 'dist')
  await compressAssets('dist')
  writeFileSync(built, '')
}
