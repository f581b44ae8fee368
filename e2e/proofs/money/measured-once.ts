import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * Stands before the real tool in the path: a recording is measured once for its bytes and the tool's arguments, since the
 * same few are ordered thousands of times, and starting ffmpeg was nine tenths of what the histories cost.
 */
const script = (real: string, kept: string) => `#!/bin/sh
for argument; do case $argument in file:*) input=\${argument#file:} ;; esac; done
key=$({ for argument; do [ "$argument" = "file:$input" ] || echo "$argument"; done; cat -- "$input"; } | md5sum)
kept=${kept}-\${key%% *}
[ -e "$kept" ] || { ${real} "$@" >"$kept.$$" && mv "$kept.$$" "$kept"; } || exit
exec cat "$kept"
`

/** A path in which ffprobe and ffmpeg measure each recording once. */
export function measureOnce(): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-measured-'))
  for (const tool of ['ffprobe', 'ffmpeg']) {
    const real = execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
    writeFileSync(join(folder, tool), script(real, join(folder, `kept-${tool}`)))
    chmodSync(join(folder, tool), 0o755)
  }
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
