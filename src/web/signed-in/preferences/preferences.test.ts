import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The module reads this device's copy when loaded.
beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }))
afterAll(() => vi.unstubAllGlobals())
const load = () => import('./preferences.ts')

describe('preferencesOf', () => {
  it('reads stored preferences, and treats unknown values as unset', async () => {
    const { parsePreferences } = await load()
    const chosen = {
      theme: 'dark',
      density: 'compact',
      clock: '12',
      dateLanguage: 'de',
      csvSeparator: 'comma',
      click: 'types',
      jumpBackSeconds: 3,
      loopTurn: true,
      columns: 'seconds,order:220',
      news: { ready: true, late: false, payment: true, webhook: false },
    }
    expect(parsePreferences(chosen)).toEqual(chosen)
    const later = {
      ...chosen,
      theme: 'sepia',
      clock: 12,
      click: 'jumps',
      jumpBackSeconds: 7,
      loopTurn: 1,
      columns: ['seconds'],
      news: { ready: 'yes', late: true, sound: true },
      added: 1,
    }
    expect(parsePreferences(later)).toEqual({
      ...chosen,
      theme: 'system',
      clock: '24',
      click: 'plays',
      jumpBackSeconds: 0,
      loopTurn: false,
      columns: '',
      news: { ready: false, late: true, payment: false, webhook: false },
    })
  })

  it('makes complete preferences of anything', async () => {
    const { densities, parsePreferences, themes } = await load()
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { theme, density, news } = parsePreferences(value)
        expect(themes).toContain(theme)
        expect(densities).toContain(density)
        expect(Object.keys(news)).toHaveLength(4)
      }),
    )
  })
})
