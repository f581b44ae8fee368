import { useSyncExternalStore } from 'react'

/** Begins to follow a source outside the page (a timer, an event of the window). Returns a function that stops it. */
type Start<Value> = (set: (value: Value) => void) => () => void

/**
 * A value that lives outside React and notifies its listeners of each change: for what changes too often for a render, or
 * must outlive one. The only store of the dashboard; use {@link useSignal} to read one in a component.
 */
export class Signal<Value> {
  #value: Value
  readonly #start: Start<Value> | undefined
  #stop: (() => void) | null = null
  readonly #listeners = new Set<() => void>()

  /** @param start called when the first listener subscribes; what it returns is called when the last one has gone */
  constructor(value: Value, start?: Start<Value>) {
    this.#value = value
    this.#start = start
  }

  readonly get = (): Value => this.#value

  /** Stores a value and notifies all listeners, unless it is the same value (`Object.is`). */
  readonly set = (value: Value): void => {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  /** Calls `listener` after each change. Returns a function that unsubscribes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0 && this.#start) this.#stop = this.#start(this.set)
    this.#listeners.add(listener)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
    }
  }
}

/** A signal's value; the component renders again when it changes. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  return useSyncExternalStore(signal.subscribe, signal.get)
}
