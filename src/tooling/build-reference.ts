import { rmSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import { build, type Rolldown } from 'vite'
import { writeReference } from '../reference/write-reference.ts'
import { compressAssets } from './compress-assets.ts'
import { narrowFonts } from './narrow-fonts.ts'

/** Script and styles of the pages, as an HTML-less build: the pages are written afterwards. */
async function buildAssets(folder: string) {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    base: '/docs/',
    plugins: [tailwindcss(), narrowFonts()],
    build: {
      outDir: folder,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: { input: 'src/web/reference/main.ts', preserveEntrySignatures: false },
    },
  })
  const { output: files } = output as Rolldown.RolldownOutput
  const address = (find: (file: (typeof files)[number]) => boolean) =>
    files.filter(find).map(({ fileName }) => `/docs/${fileName}`)
  return {
    script: address((file) => file.type === 'chunk' && file.isEntry)[0] ?? '',
    styles: address(({ fileName }) => fileName.endsWith('.css')),
    font: address(({ fileName }) => /geist-latin-wght-normal.*\.woff2$/.test(fileName))[0] ?? null,
  }
}

/** Builds /docs into a folder, precompressed. */
export async function buildReference(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  writeReference(folder, await buildAssets(folder))
  await compressAssets(folder)
}
