import { Signal } from '../../state/signal.ts'

/** How transcripts are shown; stored on this device for all of them. */
export type ReadingSettings = {
  underlineDoubtful: boolean
  /** words with a lower confidence are doubtful, 0 to 1 */
  doubtBelow: number
  follow: boolean
  times: boolean
}

const storageKey = 'parley.reading'
const defaults: ReadingSettings = { underlineDoubtful: true, doubtBelow: 0.5, follow: true, times: true }

function restore(): ReadingSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Record<string, unknown>>
    const known = Object.entries(defaults).filter(([name, usual]) => typeof stored[name] === typeof usual)
    const settings = { ...defaults, ...Object.fromEntries(known.map(([name]) => [name, stored[name]])) }
    const isShare = settings.doubtBelow >= 0 && settings.doubtBelow <= 1
    return isShare ? settings : { ...settings, doubtBelow: defaults.doubtBelow }
  } catch {
    return defaults
  }
}

export const readingSettings = new Signal<ReadingSettings>(restore())

/** Changes and stores some settings. */
export function changeReading(change: Partial<ReadingSettings>): void {
  readingSettings.set({ ...readingSettings.get(), ...change })
  try {
    localStorage.setItem(storageKey, JSON.stringify(readingSettings.get()))
  } catch {
    // Storage is full or forbidden: the settings last until the page is left.
  }
}

/** Words with a lower confidence are underlined; null where none are. */
export function doubtThreshold(settings: ReadingSettings): number | null {
  return settings.underlineDoubtful ? settings.doubtBelow : null
}
