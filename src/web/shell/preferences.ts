import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { setDateStyle } from '../ui/dates.ts'

export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const
export const clocks = ['24', '12'] as const
/** Languages that dates can be written in; the words of the pages are English. */
export const dateLanguages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja'] as const
export const newsKinds = ['ready', 'late', 'payment', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

/** How Parley looks and what it tells. What cannot be read, or is of a newer version, is as if it was never chosen. */
export const preferences = z.object({
  theme: z.catch(z.enum(themes), 'system'),
  density: z.catch(z.enum(densities), 'comfortable'),
  clock: z.catch(z.enum(clocks), '24'),
  dateLanguage: z.catch(z.enum(dateLanguages), 'en-GB'),
  /** browser notifications, each of its own */
  news: z.catch(z.object({ ready: z.boolean(), late: z.boolean(), payment: z.boolean(), webhook: z.boolean() }), {
    ready: false,
    late: false,
    payment: false,
    webhook: false,
  }),
})
export type Preferences = z.infer<typeof preferences>
export type Theme = Preferences['theme']

const storageKey = 'parley.preferences'
const listeners = new Set<(isOwnChange: boolean) => void>()
let current = restore()

/** This device's copy, so that the first paint is right before anything is read. */
function restore(): Preferences {
  try {
    return preferences.parse(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return preferences.parse({})
  }
}

function apply(): void {
  const { dataset } = document.documentElement
  if (current.theme === 'system') delete dataset.theme
  else dataset.theme = current.theme
  dataset.density = current.density
  setDateStyle({ language: current.dateLanguage, hour12: current.clock === '12' })
}

/** Puts the preferences on the document. Call once before the first render. */
export function applyPreferences(): void {
  apply()
}

/** The preferences as they stand. */
export function preferencesNow(): Preferences {
  return current
}

/** Counts the times that the account's preferences turned out to be others than this device's. */
let revision = 0

/** @param isOwnChange false where they were read from the account, so that they are not written back */
export function changePreferences(change: Partial<Preferences>, isOwnChange = true): void {
  const next = { ...current, ...change }
  if (!isOwnChange && JSON.stringify(next) !== JSON.stringify(current)) revision += 1
  current = next
  localStorage.setItem(storageKey, JSON.stringify(current))
  apply()
  for (const listener of listeners) listener(isOwnChange)
}

/** Calls back at each change. Returns a function that stops. */
export function onPreferences(listener: (isOwnChange: boolean) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The preferences, kept up to date. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferencesNow)
}

/** Grows when preferences came from the account and what stands on the page is to be rendered again. */
export function usePreferencesRevision(): number {
  return useSyncExternalStore(onPreferences, () => revision)
}
