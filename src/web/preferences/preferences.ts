import { useSyncExternalStore } from 'react'
import { Signal, useSignal } from '../state/signal.ts'
import { type Dates, datesIn } from '../ui/dates.ts'

export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const
export const clocks = ['24', '12'] as const
/** Languages that dates can be written in; the words of the pages are English. */
export const dateLanguages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja'] as const
export const newsKinds = ['ready', 'late', 'payment', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

/** How Parley looks, and what it notifies of. */
export type Preferences = {
  theme: Theme
  density: (typeof densities)[number]
  clock: (typeof clocks)[number]
  dateLanguage: (typeof dateLanguages)[number]
  /** kinds of news that the browser shows as notifications */
  news: Record<NewsKind, boolean>
}
export type Theme = (typeof themes)[number]

/** Reads stored preferences: what cannot be read, or is of a newer version, has its default. */
export function preferencesOf(stored: unknown): Preferences {
  const { theme, density, clock, dateLanguage, news } = fieldsOf(stored)
  const shown = fieldsOf(news)
  return {
    theme: oneOf(themes, theme),
    density: oneOf(densities, density),
    clock: oneOf(clocks, clock),
    dateLanguage: oneOf(dateLanguages, dateLanguage),
    news: Object.fromEntries(newsKinds.map((kind) => [kind, shown[kind] === true])) as Preferences['news'],
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

/**
 * The preferences in force. Where the service stores settings they are the account's (account-preferences.ts), and this
 * device has a copy, so that the first paint is right before anything is read; else they are this device's own.
 */
export const preferences = new Signal(restore())

function restore(): Preferences {
  try {
    return preferencesOf(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return preferencesOf({})
  }
}

/** Puts the preferences on the document. Call once before the first render. */
export function applyPreferences(): void {
  const { theme } = preferences.get()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

/** Puts other preferences in force, and stores them on this device. */
export function setPreferences(next: Preferences): void {
  const json = JSON.stringify(next)
  if (json === JSON.stringify(preferences.get())) return
  localStorage.setItem(storageKey, json)
  preferences.set(next)
  applyPreferences()
}

/** The preferences in force; the component renders again when they change. */
export function usePreferences(): Preferences {
  return useSignal(preferences)
}

/** Writes dates as the preferences say, for what is drawn once; components use {@link useDates}. */
export function datesNow(): Dates {
  const { dateLanguage, clock } = preferences.get()
  return datesIn({ language: dateLanguage, hour12: clock === '12' })
}

/** Writes dates as the preferences say; the component renders again when they say otherwise. */
export function useDates(): Dates {
  return useSyncExternalStore(preferences.subscribe, datesNow)
}
