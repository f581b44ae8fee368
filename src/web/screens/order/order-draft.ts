import * as z from 'zod/mini'
import { type OrderOptions, specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { orderOptions } from '../../../contract/interface/order-options.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'

/*
 * What is set on the order form and not ordered yet. Outside React and in the tab's sessionStorage, so that neither a
 * visit to another page nor a reload empties a half-filled order.
 */
type Edits = Partial<OrderOptions> & {
  /** the preset that was applied last */
  preset?: string | undefined
  /** the project that was chosen, by its id; null: none */
  project?: string | null
}

const readEdits = z.partial(z.extend(orderOptions, { preset: z.string(), project: z.nullable(z.string()) }))
/** One signal for each account, by its storage key. */
const edits = new Map<string, Signal<Edits>>()

function readStored(storageKey: string): Edits {
  try {
    return readEdits.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')) as Edits
  } catch {
    // Written by another version of this page: start afresh.
    return {}
  }
}

function editsOf({ environment, account }: Owner): { storageKey: string; signal: Signal<Edits> } {
  const storageKey = `parley.order.${environment}.${account}`
  const signal = edits.get(storageKey) ?? new Signal(readStored(storageKey))
  edits.set(storageKey, signal)
  return { storageKey, signal }
}

/** Sets options of the whole tray; what is not named stays. `replace` forgets what was set before. */
export function editOrder(owner: Owner, change: Edits, replace = false): void {
  const { storageKey, signal } = editsOf(owner)
  const next = replace ? change : { ...signal.get(), ...change }
  sessionStorage.setItem(storageKey, JSON.stringify(next))
  signal.set(next)
}

/** What was set on the form by hand, over the account's defaults. */
export function useOrderEdits(owner: Owner): Edits {
  return useSignal(editsOf(owner).signal)
}

/** The options in force: the spec's, under the account's, under what was set here (spec 2.3, rule 2). */
export function optionsInForce(
  defaults: Partial<OrderOptions> | null,
  ...layers: readonly Partial<OrderOptions>[]
): OrderOptions {
  return Object.assign({}, specDefaultOptions, defaults, ...layers) as OrderOptions
}
