import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// The program: `main.ts`, whose compiled code is kept for the next start, which so takes two thirds of the time. Where the
// folder cannot be written each start compiles it.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
// The command line keeps the young generation of this thread small. Threads that begin from here on have V8's usual one,
// or their own `resourceLimits`, which any number here would outweigh.
setFlagsFromString('--max-semi-space-size=0')
await import('./start/main.ts')
