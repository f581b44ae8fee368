import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import { movedPatch, readViews, viewsPatch } from './views.ts'

const ready = { name: 'Ready', query: 'show=ready', pinned: true, at: 0 }
const long = { name: 'Long', query: 'sort=seconds', pinned: false, at: 1 }
const namesOf = (settings: JsonObject) => readViews(settings).map(({ name }) => name)

describe('saved views', () => {
  it('are read in order, skipping unreadable ones', () => {
    const views = { b: long, a: ready, c: { name: 'No query' }, d: 'text', e: null }
    expect(readViews({ views })).toEqual([
      { id: 'a', ...ready },
      { id: 'b', ...long },
    ])
    expect(readViews({})).toEqual([])
  })

  it('have a one-line name, whatever was stored', () => {
    const named = (name: unknown) => namesOf({ views: { a: { ...ready, name } } })
    expect(named('   ')).toEqual(['Unnamed view'])
    expect(named(7)).toEqual(['Unnamed view'])
    expect(named('x'.repeat(5_000))).toEqual(['x'.repeat(60)])
    expect(named('Two\nlines \u202egnol')).toEqual(['Two lines gnol'])
  })

  it('are where they were moved, and stop at either end', () => {
    const settings = { views: { a: ready, b: long, c: { ...long, name: 'Last' } } }
    const moved = (from: JsonObject, id: string, by: -1 | 1) =>
      mergePatch(from, movedPatch(readViews(from), id, by) ?? {})
    expect(namesOf(settings)).toEqual(['Ready', 'Last', 'Long'])
    const down = moved(settings, 'a', 1)
    expect(namesOf(down)).toEqual(['Last', 'Ready', 'Long'])
    expect(namesOf(moved(moved(down, 'a', 1), 'a', 1))).toEqual(['Last', 'Long', 'Ready'])
    expect(movedPatch(readViews(settings), 'a', -1)).toBeNull()
    expect(movedPatch(readViews(settings), 'gone', 1)).toBeNull()
  })

  it('saved concurrently by two tabs are both there, in either order', () => {
    const renamed = viewsPatch({ a: { name: 'Ready to send' } })
    const narrowed = viewsPatch({ a: { query: 'show=ready&q=x' }, b: long })
    for (const order of [
      [renamed, narrowed],
      [narrowed, renamed],
    ]) {
      expect(readViews(order.reduce<JsonObject>(mergePatch, { views: { a: ready } }))).toEqual([
        { id: 'a', ...ready, name: 'Ready to send', query: 'show=ready&q=x' },
        { id: 'b', ...long },
      ])
    }
  })

  it('are restored unchanged when deleting is undone', () => {
    const settings = { views: { a: ready, b: long } }
    const deleted = mergePatch(settings, viewsPatch({ a: null }))
    expect(namesOf(deleted)).toEqual(['Long'])
    expect(mergePatch(deleted, viewsPatch({ a: ready }))).toEqual(settings)
  })

  it('are read from settings of any form without failing', () => {
    fc.assert(fc.property(fc.anything(), (views) => void readViews({ views })))
    const view = fc.record({
      name: fc.string(),
      query: fc.string(),
      pinned: fc.boolean(),
      at: fc.double({ noNaN: true }),
    })
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), view), (views) => {
        fc.pre(isJsonObject(views) && !('__proto__' in views))
        expect(readViews({ views })).toHaveLength(Object.keys(views).length)
      }),
    )
  })
})
