import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The program: `main.ts`, whose compiled code is kept for the next start, which so takes two thirds of the time. Where the
// folder cannot be written each start compiles it.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
await import('./main.ts')
