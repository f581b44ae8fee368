import { expect, type Page } from '@playwright/test'
import type { WordRecord } from '../../src/contract/interface/words.ts'
import { test as base, setFaults } from './faults.ts'
import { type Sample, seedFiles } from './seed-files.ts'
import type { NewAccount, ServiceProcess } from './service-process.ts'
import { sessionOf, storeSession } from './stored-session.ts'
import { showTask } from './transcript-tasks.ts'

/** Options of an automated transcript, which may have doubtful words; by default it is manual. */
export const automated = { transcript_type: 'automated', speaker_tracking_format: 'full names' } as const

/** A seeded file and its responses by the fault switch. */
export type Seeded = { name: string; json: string; txt?: string } & Sample

/** The real service with the fault switch, serving transcripts without recordings. */
export class SeededService {
  readonly #process: ServiceProcess
  #bodies: Record<string, string> = {}

  constructor(process: ServiceProcess) {
    this.#process = process
  }

  /** Creates a finished file; the service has no recording of it. @returns its id */
  async seed({ account }: NewAccount, { json, txt, ...sample }: Seeded): Promise<string> {
    const options = { transcript_type: 'manual', speaker_tracking_format: 'full names' } as const
    const [id = ''] = await seedFiles(this.#process.dataDir, account, 'live', [{ options, ...sample }])
    await this.answer(id, json, txt)
    return id
  }

  /** Replaces the text, as if the service had a newer version. */
  async answer(id: string, json: string, txt = ''): Promise<void> {
    this.#bodies = { ...this.#bodies, [`/v1/file/${id}.json`]: json, [`/v1/file/${id}.txt`]: txt }
    await setFaults(this.#process, { noAccount: true, bodies: this.#bodies })
  }
}

export const test = base.extend<{ seeded: SeededService }>({
  seeded: async ({ service }, use) => use(new SeededService(service)),
})

const step = 0.5

/** Words of turns, one every half second: `One turn.|Another.`; every seventh is doubtful. */
export function wordsOf(text: string): WordRecord[] {
  const turns = text.split('|').map((turn) => turn.split(' '))
  return turns
    .flatMap((turn) => turn.map((word, place) => ({ word, isLast: place === turn.length - 1 })))
    .map(({ word, isLast }, index) => ({
      word,
      start: index * step,
      end: index * step + 0.4,
      duration: 0.4,
      conf: index % 7 === 3 ? 0.3 : 0.95,
      ...(isLast ? { turn: true, turn_conf: 0.9 } : {}),
    }))
}

/** The text format of the same turns (spec 2.5), alternating between two speakers. */
export function txtOf(text: string, names: readonly [string, string] = ['Ann Lee', 'Bob Okafor']): string {
  let words = 0
  const two = (value: number) => String(value).padStart(2, '0')
  return text
    .split('|')
    .map((turn, index) => {
      const seconds = Math.floor(words * step)
      words += turn.split(' ').length
      return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)} ${names[index % 2]}: ${turn}`
    })
    .join('\n')
}

/** Opens a transcript by URL, signed in. */
export async function openTranscript(page: Page, account: NewAccount, id: string): Promise<void> {
  await storeSession(page, sessionOf(account))
  // Otherwise the native dialog would open, which no journey can operate; Firefox and Safari have none either.
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'showOpenFilePicker'))
  await page.goto(`/live/files/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Waits until the text is complete and can be corrected. */
export async function untilCorrectable(page: Page): Promise<void> {
  await showTask(page, 'Edit')
  await expect(page.getByText(/^(No corrections yet|\d+ corrections? · saved)/).last()).toBeVisible()
  // As if nothing had been pressed: keys work on the text.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}
