import { describe, expect, it } from 'vitest'
import { Signal } from './signal.ts'

describe('a signal', () => {
  it('notifies every listener of a change, after the value has changed', () => {
    const signal = new Signal('a')
    const seen: string[] = []
    signal.subscribe(() => seen.push(`one ${signal.get()}`))
    signal.subscribe(() => seen.push(`two ${signal.get()}`))
    signal.set('b')
    expect(seen).toEqual(['one b', 'two b'])
  })

  it('does not notify for an identical value, NaN included', () => {
    const signal = new Signal(Number.NaN)
    let calls = 0
    signal.subscribe(() => (calls += 1))
    signal.set(Number.NaN)
    expect(calls).toBe(0)
    signal.set(1)
    signal.set(1)
    expect(calls).toBe(1)
  })

  it('lets listeners subscribe and unsubscribe while it notifies', () => {
    const signal = new Signal(0)
    const seen: string[] = []
    const stop = signal.subscribe(() => {
      seen.push('once')
      stop()
      signal.subscribe(() => seen.push('late'))
    })
    signal.subscribe(() => seen.push('always'))
    signal.set(1)
    expect(seen).toEqual(['once', 'always'])
    signal.set(2)
    expect(seen).toEqual(['once', 'always', 'always', 'late'])
  })

  it('subscribes to its source only while it has listeners', () => {
    let source: ((value: number) => void) | null = null
    const signal = new Signal(0, (set) => {
      source = set
      return () => {
        source = null
      }
    })
    expect(source).toBeNull()
    const stops = [signal.subscribe(() => {}), signal.subscribe(() => {})]
    ;(source as ((value: number) => void) | null)?.(7)
    expect(signal.get()).toBe(7)
    stops[0]?.()
    stops[0]?.()
    expect(source).not.toBeNull()
    stops[1]?.()
    expect(source).toBeNull()
    signal.subscribe(() => {})
    expect(source).not.toBeNull()
  })
})
