import { csvSeparators } from '../../../contract/common/csv.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const
export const clocks = ['24', '12'] as const
/** Languages that dates can be written in; the words of the pages are English. */
export const dateLanguages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja'] as const
/** What a click on a word of a transcript does: play from there, or place the caret there. */
export const clicks = ['plays', 'types'] as const
/** Seconds to jump back at each pause. */
export const jumpBacks = [0, 1, 2, 3, 4, 5] as const
export const newsKinds = ['ready', 'late', 'payment', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

/** Appearance, how transcripts are corrected, and which notifications are shown. */
export type Preferences = {
  theme: Theme
  density: (typeof densities)[number]
  clock: (typeof clocks)[number]
  dateLanguage: (typeof dateLanguages)[number]
  csvSeparator: (typeof csvSeparators)[number]
  click: (typeof clicks)[number]
  jumpBackSeconds: (typeof jumpBacks)[number]
  /** plays the turn being edited in a loop */
  loopTurn: boolean
  /** visible columns of the list of files and their widths, as serialized there; '': the default ones */
  columns: string
  /** kinds of events shown as browser notifications */
  news: Record<NewsKind, boolean>
}
/** A partial change of the preferences, and of the kinds of news. */
export type PreferencesChange = Partial<Omit<Preferences, 'news'>> & { news?: Partial<Preferences['news']> }

export type Theme = (typeof themes)[number]

/** Parses stored preferences: unreadable values, or those of a newer version, fall back to the default. */
export function parsePreferences(stored: unknown): Preferences {
  const { theme, density, clock, dateLanguage, csvSeparator, click, jumpBackSeconds, loopTurn, columns, news } =
    toFields(stored)
  const shown = toFields(news)
  return {
    theme: oneOf(themes, theme),
    density: oneOf(densities, density),
    clock: oneOf(clocks, clock),
    dateLanguage: oneOf(dateLanguages, dateLanguage),
    csvSeparator: oneOf(csvSeparators, csvSeparator),
    click: oneOf(clicks, click),
    jumpBackSeconds: oneOf(jumpBacks, jumpBackSeconds),
    loopTurn: loopTurn === true,
    columns: typeof columns === 'string' ? columns : '',
    news: Object.fromEntries(newsKinds.map((kind) => [kind, shown[kind] === true])) as Preferences['news'],
  }
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Validates a choice; the first one is the default. */
function oneOf<Choice>(choices: readonly [Choice, ...Choice[]], value: unknown): Choice {
  return choices.find((choice) => choice === value) ?? choices[0]
}

const storageKey = 'parley.preferences'

/**
 * The current preferences. If the service stores settings they are the account's (account-preferences.ts), with a copy
 * on this device for a correct first paint before anything is fetched; otherwise they are local to this device.
 */
export const preferences = new Signal(restore())

function restore(): Preferences {
  try {
    return parsePreferences(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return parsePreferences({})
  }
}

/** Whether this device has stored any. */
export function hasPreferences(): boolean {
  return localStorage.getItem(storageKey) !== null
}

/** Applies the preferences to the document. Call once before the first render. */
export function applyPreferences(): void {
  const { theme } = preferences.get()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

/** Changes the preferences and stores them on this device. */
export function setPreferences(next: Preferences): void {
  const json = JSON.stringify(next)
  if (json === JSON.stringify(preferences.get())) return
  localStorage.setItem(storageKey, json)
  preferences.set(next)
  applyPreferences()
}

/** The current preferences; the component re-renders when they change. */
export function usePreferences(): Preferences {
  return useSignal(preferences)
}
