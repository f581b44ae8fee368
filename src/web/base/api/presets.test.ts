import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from '../../../contract/common/merge-patch.ts'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { readPresets } from './presets.ts'

const court = { ...specDefaultOptions, strict_verbatim: 'on' as const, speaker_names: ['Ada Obi'] }
const film = { ...specDefaultOptions, subtitle_file: 'on' as const }

describe('presets', () => {
  it('are read by name, skipping unreadable ones', () => {
    const settings = { presets: { Film: film, Court: court, Text: 'on', None: null } }
    expect(readPresets(settings)).toEqual([
      { name: 'Court', options: court },
      { name: 'Film', options: film },
    ])
    expect(readPresets({ presets: { Early: { strict_verbatim: 'on', subtitle_file: 'perhaps' } } })).toEqual([
      { name: 'Early', options: { ...specDefaultOptions, strict_verbatim: 'on' } },
    ])
  })

  it('changed concurrently by two tabs keep both changes, in either order', () => {
    const name = fc.string({ minLength: 1, maxLength: 60 })
    const arbitrary = fc.tuple(name, name, fc.constantFrom({}, { presets: { Court: court } }))
    fc.assert(
      fc.property(arbitrary, ([one, two, settings]) => {
        fc.pre(one !== two)
        const patches = [{ presets: { [one]: film } }, { presets: { [two]: court } }]
        for (const order of [patches, patches.toReversed()]) {
          const presets = readPresets(order.reduce(mergePatch, settings))
          expect(presets).toContainEqual({ name: one, options: film })
          expect(presets).toContainEqual({ name: two, options: court })
        }
      }),
    )
  })

  it('are read from settings of any form without failing', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (settings) => void readPresets(settings)))
    fc.assert(fc.property(fc.anything(), (presets) => void readPresets({ presets })))
  })
})
