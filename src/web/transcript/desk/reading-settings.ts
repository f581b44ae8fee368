import { Signal } from '../../base/state/signal.ts'

/** What the panel beside a transcript is for at the moment. */
export const tasks = ['Read', 'Edit', 'Captions', 'File'] as const
export type Task = (typeof tasks)[number]

/** Display settings for transcripts; stored on this device for all of them. */
export type ReadingSettings = {
  underlineDoubtful: boolean
  /** words with a lower confidence are doubtful, 0 to 1; null: the least certain tenth of a transcript */
  doubtBelow: number | null
  follow: boolean
  times: boolean
  /** the task chosen last */
  task: Task
}

const storageKey = 'parley.reading'
const defaults: ReadingSettings = {
  underlineDoubtful: true,
  doubtBelow: null,
  follow: true,
  times: true,
  task: 'Read',
}

function restore(): ReadingSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Record<string, unknown>>
    const known = Object.entries(defaults).filter(([name, usual]) => typeof stored[name] === typeof usual)
    const settings = { ...defaults, ...Object.fromEntries(known.map(([name]) => [name, stored[name]])) }
    const below = stored.doubtBelow
    const task = tasks.find((one) => one === stored.task) ?? defaults.task
    const doubtBelow = typeof below === 'number' && below >= 0 && below <= 1 ? below : null
    return { ...settings, task, doubtBelow }
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
    // Storage is full or blocked: the settings last until the page is closed.
  }
}
