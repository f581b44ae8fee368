import { expect, it } from 'vitest'
import { dispositionName } from './disposition-name.ts'

it('takes the name from Content-Disposition, and strips any path', () => {
  expect(dispositionName(`attachment; filename="Zo?.txt"; filename*=UTF-8''Zo%C3%AB.txt`, 'x')).toBe('Zoë.txt')
  expect(dispositionName('attachment; filename="../../etc/passwd"', 'x')).toBe('passwd')
  expect(dispositionName(null, 'talk.txt')).toBe('talk.txt')
})
