import { Signal } from '../../state/signal.ts'

/** How the reader likes to read; kept on this device for all transcripts. */
export type ReadingSettings = {
  underlineDoubtful: boolean
  /** conf below which a word is doubtful, 0 to 1 */
  doubtBelow: number
  follow: boolean
  times: boolean
}

const storageKey = 'parley.reading'
const defaults: ReadingSettings = { underlineDoubtful: true, doubtBelow: 0.5, follow: true, times: true }

function restore(): ReadingSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Record<string, unknown>>
    const flag = (name: 'underlineDoubtful' | 'follow' | 'times') =>
      typeof kept[name] === 'boolean' ? kept[name] : defaults[name]
    const below = kept.doubtBelow
    return {
      underlineDoubtful: flag('underlineDoubtful'),
      follow: flag('follow'),
      times: flag('times'),
      doubtBelow: typeof below === 'number' && below >= 0 && below <= 1 ? below : defaults.doubtBelow,
    }
  } catch {
    return defaults
  }
}

export const readingSettings = new Signal<ReadingSettings>(restore())

/** Changes some settings and keeps them. */
export function changeReading(change: Partial<ReadingSettings>): void {
  readingSettings.set({ ...readingSettings.get(), ...change })
  try {
    localStorage.setItem(storageKey, JSON.stringify(readingSettings.get()))
  } catch {
    // A full or forbidden storage: the settings hold until the page is left.
  }
}

/** The threshold that marks words now, or null where none are to be marked. */
export function doubtThreshold(settings: ReadingSettings): number | null {
  return settings.underlineDoubtful ? settings.doubtBelow : null
}
