import { useSyncExternalStore } from 'react'
import { setDateStyle } from '../ui/dates.ts'

export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const
export const clocks = ['24', '12'] as const
/** Languages that dates can be written in; the words of the pages are English. */
export const dateLanguages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja'] as const
export const newsKinds = ['ready', 'late', 'payment', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

/** How Parley looks and what it tells. */
export type Preferences = {
  theme: Theme
  density: (typeof densities)[number]
  clock: (typeof clocks)[number]
  dateLanguage: (typeof dateLanguages)[number]
  /** browser notifications, each of its own */
  news: Record<NewsKind, boolean>
}
export type Theme = (typeof themes)[number]

/** Reads what was kept: what cannot be read, or is of a newer version, is as if it was never chosen. */
export function preferencesOf(kept: unknown): Preferences {
  const { theme, density, clock, dateLanguage, news } = fieldsOf(kept)
  const told = fieldsOf(news)
  return {
    theme: oneOf(themes, theme),
    density: oneOf(densities, density),
    clock: oneOf(clocks, clock),
    dateLanguage: oneOf(dateLanguages, dateLanguage),
    news: Object.fromEntries(newsKinds.map((kind) => [kind, told[kind] === true])) as Preferences['news'],
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** The first of the choices is the default. */
function oneOf<Choice>(choices: readonly [Choice, ...Choice[]], value: unknown): Choice {
  return choices.find((choice) => choice === value) ?? choices[0]
}

const storageKey = 'parley.preferences'
const listeners = new Set<(isOwnChange: boolean) => void>()
let current = restore()

/** This device's copy, so that the first paint is right before anything is read. */
function restore(): Preferences {
  try {
    return preferencesOf(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return preferencesOf({})
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
