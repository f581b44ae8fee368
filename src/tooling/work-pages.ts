import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

/**
 * The staff's pages, built separately into the same folder: as a second entry of the dashboard's build they would move
 * shared code into other chunks, and customers would load different files for it (decision 108).
 */
export const workPages: InlineConfig = {
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
