import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { type OrderOptions, specDefaultOptions } from '../../contract/option-values.ts'
import { orderOptions } from '../../contract/order-options.ts'
import type { Owner } from '../uploads/tray/line.ts'

/*
 * What is set on the order form and not ordered yet. Outside React and in the tab's sessionStorage, so that neither a
 * look at another page nor a reload empties a half-filled order.
 */
type Edits = Partial<OrderOptions>

const readEdits = z.partial(orderOptions)
const edits = new Map<string, Edits>()
const listeners = new Set<() => void>()
const none: Edits = {}

const storageKey = ({ environment, account }: Owner): string => `parley.order.${environment}.${account}`

function restore(key: string): Edits {
  try {
    return readEdits.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}')) as Edits
  } catch {
    // Written by another version of this page: begin anew.
    return none
  }
}

function editsOf(owner: Owner): Edits {
  const key = storageKey(owner)
  const known = edits.get(key) ?? restore(key)
  edits.set(key, known)
  return known
}

/** Sets options of the whole tray; what is not named stays. `replace` forgets what was set before. */
export function editOrder(owner: Owner, change: Edits, replace = false): void {
  const key = storageKey(owner)
  const next = replace ? change : { ...editsOf(owner), ...change }
  edits.set(key, next)
  sessionStorage.setItem(key, JSON.stringify(next))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What was set on the form by hand, over the account's defaults. */
export function useOrderEdits(owner: Owner): Edits {
  return useSyncExternalStore(subscribe, () => editsOf(owner))
}

/** The options in force: the spec's, under the account's, under what was set here (spec 2.3, rule 2). */
export function optionsInForce(defaults: Edits | null, ...layers: readonly Edits[]): OrderOptions {
  return Object.assign({}, specDefaultOptions, defaults, ...layers) as OrderOptions
}
