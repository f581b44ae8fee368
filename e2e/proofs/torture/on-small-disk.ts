import { join } from 'node:path'

/*
 * The real service in a data directory of 48 MB, visible only to its process (a mount in a private namespace): it needs
 * no root, and leaves nothing behind.
 */

const main = join(import.meta.dirname, '../../../src/service/parley.ts')
const dataDir = process.argv[process.argv.indexOf('--data') + 1] ?? ''
const script = 'mount -t tmpfs -o size=48m,mode=700 tmpfs "$0" && exec "$@"'
const command = ['unshare', '-rm', 'sh', '-c', script, dataDir, process.execPath, main, ...process.argv.slice(2)]
process.execve?.('/usr/bin/env', ['env', ...command])
