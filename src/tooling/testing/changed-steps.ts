import { execFileSync } from 'node:child_process'
import type { Step } from './run-steps.ts'

/** Paths of existing files that differ from a commit, including untracked ones. @throws if there is no such commit */
export function changedFiles(commit: string): string[] {
  const git = (command: string, ...args: string[]) =>
    execFileSync('git', [command, '-z', ...args], { encoding: 'utf8', stdio: 'pipe' }).split('\0')
  const differing = git('diff', '--name-only', '--diff-filter=d', '--relative', commit)
  return [...differing, ...git('ls-files', '--others', '--exclude-standard')].filter((path) => path !== '')
}

/**
 * Checks for work in progress: lint of the changed files, types, the unit tests that import one of them, and the
 * changed journeys. No other journeys: imports do not show which of them a change affects.
 */
export function changedSteps(commit: string, files: readonly string[]): Step[] {
  const journeys = files.filter((path) => /^e2e\/journeys\/.*\.spec\.ts$/.test(path))
  const played = ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--project', 'journeys'] as const
  const onSqlite = ['--project', 'sqlite', '--project', 'slow'] as const
  const lint = ['biome', 'ci', '--error-on-warnings', '--colors=off', '--no-errors-on-unmatched'] as const
  return [
    ...(files.length === 0 ? [] : [{ name: 'lint', command: [...lint, ...files] } satisfies Step]),
    { name: 'types', command: ['tsc', '-b'] },
    { name: 'unit', command: ['vitest', 'run', ...onSqlite, '--changed', commit, '--passWithNoTests'] },
    ...(journeys.length === 0
      ? []
      : [
          { name: 'build', command: ['node', 'src/tooling/build.ts'] } satisfies Step,
          { name: 'journeys', command: [...played, ...journeys] } satisfies Step,
        ]),
  ]
}
