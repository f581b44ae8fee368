import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main, nodeFlags } from '../testing/real-process.ts'
import { checkPages, checkUnits } from './doctor-installation.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-installation-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(dir, { recursive: true })
})

/** What systemd 252 answered, of a unit that was active for a time; tests run where there is none. */
async function answerAs(states: Readonly<Record<string, string>>, activeSeconds = 3_600): Promise<void> {
  const since = `ActiveEnterTimestampMonotonic=${Math.round((uptime() - activeSeconds) * 1e6)}`
  const timer =
    'Result=success\n\nId=parley-backup.timer\nActiveState=inactive\nSubState=dead\nUnitFileState=disabled\n'
  const lines = Object.entries(states).map(([name, value]) => `${name}=${value}`)
  const words = ['Id=parley.service', ...lines, since, timer].join('\n')
  await writeFile(join(dir, 'systemctl'), `#!/bin/sh\ncat <<'END'\n${words}END\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${dir}:${process.env.PATH}`)
}

test('a unit that is enabled has to run, and not to begin again and again', async () => {
  const running = { ActiveState: 'active', SubState: 'running', UnitFileState: 'enabled', NRestarts: '2' }
  await answerAs(running)
  expect(await checkUnits()).toEqual([{ check: 'unit', ok: true, says: 'parley.service is active' }])
  await answerAs(running, 1)
  expect(await checkUnits()).toMatchObject([
    { ok: false, says: expect.stringContaining('again a moment ago (restarts: 2)') },
  ])
  await answerAs({ ...running, ActiveState: 'failed', SubState: 'failed' })
  expect(await checkUnits()).toMatchObject([
    {
      ok: false,
      says: expect.stringMatching(/^parley\.service is enabled, and failed .*journalctl -u parley\.service/),
    },
  ])
  await answerAs({ ...running, ActiveState: 'inactive', UnitFileState: 'disabled' })
  expect(await checkUnits()).toEqual([])
  vi.stubEnv('PATH', '/nowhere')
  expect(await checkUnits()).toEqual([])
})

test('doctor names what does nothing in the file of settings', async () => {
  const file = join(dir, 'parley.env')
  const doctor = async (text: string) => {
    await writeFile(file, text)
    const args = [...nodeFlags, `--env-file-if-exists=${file}`, main, 'doctor', '--data', dir]
    // It ends with 1, as there is no database.
    const said = execFileSync('sh', ['-c', '"$@" 2>&1 || true', process.execPath, process.execPath, ...args], {
      encoding: 'utf8',
    })
    return said.split('\n').find((line) => / settings /.test(line)) ?? ''
  }
  const wrong = await doctor(
    'PUBLIC_ULR=https://a.example\nexport FREE_MINUTES=1\n# HOTS=x\nPROT=1\nSTRIPE_KEY=a\nPORT=0\n',
  )
  expect(wrong).toMatch(
    /^PROBLEM .*PUBLIC_ULR\. Did you mean PUBLIC_URL\?; .*leave out export; .*PROT.*PORT\?; there is no STRIPE_KEY →/,
  )
  expect(await doctor('PORT=0\nRESTIC_PASSWORD_FILE=/a\nSTRIPE_SECRET_KEY_FILE=\n')).toMatch(/^ok .* 3 in /)
}, 60_000)

test('pages for customers that are still drafts are named, and those that are not there', async () => {
  const pages = join(dir, 'pages')
  await mkdir(pages)
  expect(checkPages({ dataDir: dir })).toMatchObject({ ok: true, says: 'none; not there: privacy, terms, imprint' })
  await writeFile(join(pages, 'terms.md'), 'See [our site](https://a.example).')
  await writeFile(join(pages, 'privacy.md'), 'By [Name and\naddress].')
  const says = 'privacy, terms; still with [brackets]: privacy; not there: imprint'
  expect(checkPages({ dataDir: dir })).toEqual({ check: 'pages', ok: false, says })
})
