import { expect, it } from 'vitest'
import { changedFiles, changedSteps } from './changed-steps.ts'

const names = (files: string[]) => changedSteps('HEAD', files).map(({ name }) => name)

it('run only changed journeys, and lint only existing files', () => {
  expect(names([])).toEqual(['types', 'unit'])
  expect(names(['src/web/boot/main.tsx', 'e2e/kit/faults.ts'])).toEqual(['lint', 'types', 'unit'])
  const steps = changedSteps('HEAD', ['e2e/journeys/files/files.spec.ts'])
  expect(steps.map(({ name }) => name)).toEqual(['lint', 'types', 'unit', 'build', 'journeys'])
  expect(steps.at(-1)?.command.at(-1)).toBe('e2e/journeys/files/files.spec.ts')
})

it('reject an unknown commit', () => {
  expect(() => changedFiles('no-such-commit')).toThrow('no-such-commit')
})
