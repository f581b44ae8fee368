import { useSyncExternalStore } from 'react'

/** A value that lives outside React and tells when it changed; for what changes too often, or must outlive a render. */
export class Signal<Value> {
  #value: Value
  readonly #listeners = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  readonly get = (): Value => this.#value

  set(value: Value): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  /** Calls back on each change. Returns a function that stops. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

/** A signal's value, kept up to date. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  return useSyncExternalStore(signal.subscribe, signal.get)
}
