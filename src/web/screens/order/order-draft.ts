import * as z from 'zod/mini'
import { type OrderOptions, specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { orderOptions } from '../../../contract/interface/order-options.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'

/*
 * The unsubmitted state of the order form. Outside React and in the tab's sessionStorage, so that neither navigation
 * nor a reload clears a half-filled order.
 */
type Edits = Partial<OrderOptions> & {
  /** the last applied preset */
  preset?: string | undefined
  /** the chosen project, by id; null: none */
  project?: string | null
}

const readEdits = z.partial(z.extend(orderOptions, { preset: z.string(), project: z.nullable(z.string()) }))
/** One signal per account, by its storage key. */
const edits = new Map<string, Signal<Edits>>()

function readStored(storageKey: string): Edits {
  try {
    return readEdits.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')) as Edits
  } catch {
    // Written by another version of this page: start afresh.
    return {}
  }
}

function getEdits({ environment, account }: Owner): { storageKey: string; signal: Signal<Edits> } {
  const storageKey = `parley.order.${environment}.${account}`
  const signal = edits.get(storageKey) ?? new Signal(readStored(storageKey))
  edits.set(storageKey, signal)
  return { storageKey, signal }
}

/** Sets options of the whole tray; others stay. `replace` discards earlier edits. */
export function editOrder(owner: Owner, change: Edits, replace = false): void {
  const { storageKey, signal } = getEdits(owner)
  const next = replace ? change : { ...signal.get(), ...change }
  sessionStorage.setItem(storageKey, JSON.stringify(next))
  signal.set(next)
}

/** Edits made on the form, over the account's defaults. */
export function useOrderEdits(owner: Owner): Edits {
  return useSignal(getEdits(owner).signal)
}

/** The effective options: the spec's, overridden by the account's, overridden by the form's (spec 2.3, rule 2). */
export function optionsInForce(
  defaults: Partial<OrderOptions> | null,
  ...layers: readonly Partial<OrderOptions>[]
): OrderOptions {
  return Object.assign({}, specDefaultOptions, defaults, ...layers) as OrderOptions
}
