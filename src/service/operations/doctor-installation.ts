import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownPageNames } from '../../contract/common/own-pages.ts'
import { type Config, type Setting, settings } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { findNearest } from '../platform/nearest-name.ts'
import type { Finding } from './doctor-findings.ts'

const run = promisify(execFile)

const units = ['parley.service', 'parley-backup.timer', 'parley@*.service']
const properties = 'Id,ActiveState,SubState,UnitFileState,Result,NRestarts,ActiveEnterTimestampMonotonic'
/** A service that is started again and again is active for a moment each time. */
const settledSeconds = 60

/** Whether what is enabled in systemd runs. Nothing where there is no systemd, or it does not answer. */
export async function checkUnits(): Promise<Finding[]> {
  const { stdout } = await run('systemctl', ['show', ...units, '--property', properties], { timeout: 10_000 }).catch(
    () => ({ stdout: '' }),
  )
  const shown = stdout
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => line.split('=', 2) as [string, string])))
  const findings = shown.flatMap((unit): Finding[] => {
    if (unit.get('UnitFileState') !== 'enabled') return []
    const restarts = Number(unit.get('NRestarts') ?? 0)
    const activeSeconds =
      Number(process.hrtime.bigint()) / 1e9 - Number(unit.get('ActiveEnterTimestampMonotonic')) / 1e6
    const name = unit.get('Id')
    const again = restarts > 0 && activeSeconds < settledSeconds
    if (unit.get('ActiveState') === 'active' && !again) return [{ check: 'unit', ok: true, says: `${name} is active` }]
    const state = again
      ? `was started again a moment ago (restarts: ${restarts})`
      : `is enabled, and ${unit.get('ActiveState')} (${unit.get('SubState')}; restarts: ${restarts}, last result: ${unit.get('Result')})`
    return [{ check: 'unit', ok: false, says: `${name} ${state}: journalctl -u ${name} -n 20 says why` }]
  })
  return findings
}

/** Names that others read: restic, the SDK of S3, PostgreSQL, Node, the system. */
const ofOthers = /^(RESTIC|AWS|PG|NODE|B2|RCLONE)_?|^(TZ|LANG|HOME|PATH|TMPDIR)$|_PROXY$/i
const known = Object.values<Setting>(settings).flatMap(([name, , , , { hasFile, orEnv } = {}]) => [
  name,
  ...(hasFile ? [`${name}_FILE`] : []),
  ...(orEnv ? [orEnv] : []),
])

/**
 * Whether each line of the file of settings sets something: a mistyped name, or one after `export`, does nothing.
 * @param nodeOptions name the file: the package's `parley` gives Node what systemd reads for the service
 */
export function checkSettings(nodeOptions: readonly string[]): Finding[] {
  const [file] = nodeOptions.flatMap((option) => /^--env-file(?:-if-exists)?=(.+)$/.exec(option)?.[1] ?? [])
  if (file === undefined || !existsSync(file)) return []
  const lines = [...readFileSync(file, 'utf8').matchAll(/^[ \t]*(export[ \t]+)?(\w+)[ \t]*=/gm)]
  const wrong = lines.flatMap(([, exported, name = '']) => {
    if (exported !== undefined) return [`systemd ignores “export ${name}”: leave out export`]
    if (known.includes(name) || ofOthers.test(name)) return []
    const meant = findNearest(known, name)
    return [`there is no ${name}${meant === undefined ? '' : `. Did you mean ${meant}?`}`]
  })
  const says = wrong.length === 0 ? `${lines.length} in ${file}` : `${file}: ${wrong.join('; ')}`
  return [{ check: 'settings', ok: wrong.length === 0, says }]
}

/** Whether drafts of pages for customers were filled in: what stands in brackets is public at once. */
export function checkPages({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const path = (name: string) => join(dataPaths(dataDir).pages, `${name}.md`)
  const there = ownPageNames.filter((name) => existsSync(path(name)))
  const drafts = there.filter((name) => /\[[^\]]*\](?![(:])/.test(readFileSync(path(name), 'utf8')))
  const missing = ['privacy', 'terms', 'imprint'].filter((name) => !there.some((one) => one === name))
  const says = [
    there.length === 0 ? 'none' : there.join(', '),
    ...(drafts.length === 0 ? [] : [`still with [brackets]: ${drafts.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`not there: ${missing.join(', ')}`]),
  ]
  return { check: 'pages', ok: drafts.length === 0, says: says.join('; ') }
}
