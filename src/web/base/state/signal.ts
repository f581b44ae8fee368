import { useSyncExternalStore } from 'react'

/** Subscribes to a source outside the page (a timer, a window event). Returns an unsubscribe function. */
type Start<Value> = (set: (value: Value) => void) => () => void

/**
 * An observable value outside React: for values that change too often to render, or must outlive a component.
 * The dashboard's only store class; components read one with {@link useSignal}.
 */
export class Signal<Value> {
  #value: Value
  readonly #start: Start<Value> | undefined
  #stop: (() => void) | null = null
  readonly #listeners = new Set<() => void>()

  /** @param start called on the first subscription; its return value is called when the last listener unsubscribes */
  constructor(value: Value, start?: Start<Value>) {
    this.#value = value
    this.#start = start
  }

  readonly get = (): Value => this.#value

  /** Stores a value and notifies all listeners, unless it is identical (`Object.is`). */
  readonly set = (value: Value): void => {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  /** Calls `listener` after each change. Returns an unsubscribe function. */
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

/** Reads a signal; the component re-renders when it changes. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  return useSyncExternalStore(signal.subscribe, signal.get)
}
