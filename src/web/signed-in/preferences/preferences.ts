import { Signal, useSignal } from '../../base/state/signal.ts'

export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const
export const clocks = ['24', '12'] as const
/** Languages that dates can be written in; the words of the pages are English. */
export const dateLanguages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja'] as const
/** What a click on a word of a transcript does: the sound plays from there, or the caret stands there to type. */
export const clicks = ['plays', 'types'] as const
/** How far the sound goes back at each pause. Seconds. */
export const jumpBacks = [0, 1, 2, 3, 4, 5] as const
export const newsKinds = ['ready', 'late', 'payment', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

/** How Parley looks, how transcripts are corrected, and what it notifies of. */
export type Preferences = {
  theme: Theme
  density: (typeof densities)[number]
  clock: (typeof clocks)[number]
  dateLanguage: (typeof dateLanguages)[number]
  click: (typeof clicks)[number]
  jumpBackSeconds: (typeof jumpBacks)[number]
  /** the turn that is typed in is played in a loop */
  loopTurn: boolean
  /** of the list of files, and how wide they are, as it writes them; '': the usual ones */
  columns: string
  /** kinds of news that the browser shows as notifications */
  news: Record<NewsKind, boolean>
}
/** Some of the preferences, and some of the kinds of news. */
export type PreferencesChange = Partial<Omit<Preferences, 'news'>> & { news?: Partial<Preferences['news']> }

export type Theme = (typeof themes)[number]

/** Reads stored preferences: what cannot be read, or is of a newer version, has its default. */
export function preferencesOf(stored: unknown): Preferences {
  const { theme, density, clock, dateLanguage, click, jumpBackSeconds, loopTurn, columns, news } = fieldsOf(stored)
  const shown = fieldsOf(news)
  return {
    theme: oneOf(themes, theme),
    density: oneOf(densities, density),
    clock: oneOf(clocks, clock),
    dateLanguage: oneOf(dateLanguages, dateLanguage),
    click: oneOf(clicks, click),
    jumpBackSeconds: oneOf(jumpBacks, jumpBackSeconds),
    loopTurn: loopTurn === true,
    columns: typeof columns === 'string' ? columns : '',
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
 * The current preferences. Where the service stores settings they are the account's (account-preferences.ts), with a copy on
 * this device, so that the first paint is right before anything is fetched; otherwise they are this device's own.
 */
export const preferences = new Signal(restore())

function restore(): Preferences {
  try {
    return preferencesOf(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return preferencesOf({})
  }
}

/** Applies the preferences to the document. Call it once before the first render. */
export function applyPreferences(): void {
  const { theme } = preferences.get()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

/** Changes the preferences, and stores them on this device. */
export function setPreferences(next: Preferences): void {
  const json = JSON.stringify(next)
  if (json === JSON.stringify(preferences.get())) return
  localStorage.setItem(storageKey, json)
  preferences.set(next)
  applyPreferences()
}

/** The current preferences; the component renders again when they change. */
export function usePreferences(): Preferences {
  return useSignal(preferences)
}
