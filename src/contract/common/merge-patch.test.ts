import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { mergePatch } from './merge-patch.ts'

describe('mergePatch', () => {
  // Cases of RFC 7396, appendix A, whose patch is an object.
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j and %j give %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result)
  })

  const object = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>)

  it('changes nothing when it is applied again, and neither of its arguments', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch])
        const once = mergePatch(target, patch)
        expect(mergePatch(once, patch)).toEqual(once)
        expect(JSON.stringify([target, patch])).toBe(before)
      }),
    )
  })

  it('gives the same result for patches of different members in either order', () => {
    fc.assert(
      fc.property(object, object, object, (target, one, two) => {
        const patches = [{ settings: { one } }, { settings: { two } }]
        const inOrder = patches.reduce(mergePatch, target)
        expect(patches.toReversed().reduce(mergePatch, target)).toEqual(inOrder)
      }),
    )
  })

  it('treats names that objects inherit like any other', () => {
    const patch = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')
    const merged = mergePatch({}, patch)
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  })
})
