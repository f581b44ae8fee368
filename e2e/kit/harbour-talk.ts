import { expect, type Page } from '@playwright/test'
import { openTranscript, type SeededService, txtOf, untilCorrectable, wordsOf } from './seeded-transcripts.ts'
import type { NewAccount } from './service-process.ts'
import { showTask } from './transcript-tasks.ts'

/* A talk of four turns by two speakers, and helpers to correct it. */

export const harbourText =
  'Good morning and welcome to the harbour talk.|Thank you, it is good to be here.|Shall we begin with the fundation stones?|Yes, people forget the mill.'
/** A newer version of the same talk, which conflicts with a correction of the third turn. */
export const newer =
  'Well, good morning and welcome to the harbour talk.|Thank you, it is good to be here.|Shall we begin with the fun day shun stones?|Yes, people forget the mill.'

/** A text in the service's response format. */
export const harbour = (text: string) => ({
  name: 'Harbour talk',
  json: JSON.stringify(wordsOf(text)),
  txt: txtOf(text),
})

/** The words of a turn, numbered from 0. */
export const turn = (page: Page, index: number) => page.getByRole('article').nth(index).getByRole('paragraph')
/** The field for editing a turn. */
export const field = (page: Page) => page.getByRole('textbox', { name: 'Text of this turn' })

/** In the page: the screen position of a word's center. */
export function middleOfWord(wanted: string): [x: number, y: number] | null {
  for (const paragraph of document.querySelectorAll('[role="feed"] p')) {
    const at = paragraph.textContent.search(new RegExp(`\\b${wanted}\\b`, 'i'))
    if (at < 0 || paragraph.firstChild === null) continue
    const range = document.createRange()
    range.setStart(paragraph.firstChild, at)
    range.setEnd(paragraph.firstChild, at + wanted.length)
    const { left, top, width, height } = range.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  }
  return null
}

/** The screen position of a word's center. */
export async function placeOf(page: Page, word: string): Promise<[x: number, y: number]> {
  const place = await page.evaluate(middleOfWord, word)
  if (place === null) throw new Error(`“${word}” is not on the screen.`)
  return place
}

/** Edits a turn through the page. */
export async function correct(page: Page, index: number, before: string, after: string): Promise<void> {
  const text = (await turn(page, index).textContent()) ?? ''
  await turn(page, index).dblclick({ position: { x: 8, y: 12 } })
  await field(page).fill(text.replace(before, after))
  await field(page).press('Enter')
}

/** Waits until `count` corrections are stored. */
export async function saved(page: Page, count: number): Promise<void> {
  await showTask(page, 'Edit')
  const words = new RegExp(`^${count} corrections? · saved`)
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()
}

/** Opens the dialog that decides conflicts. */
export async function openConflicts(page: Page, count: number): Promise<void> {
  const bar = page.getByRole('region', { name: 'Conflicts' })
  await expect(bar).toContainText(count === 1 ? '1 conflict' : `${count} conflicts`)
  await bar.getByRole('button', { name: 'Choose' }).click()
}

/** Opens the talk by the harbor, ready to be corrected. @returns its id */
export async function openHarbour(page: Page, account: NewAccount, seeded: SeededService): Promise<string> {
  const id = await seeded.seed(account, harbour(harbourText))
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  return id
}

/** Corrects the first, the third and the last turn. */
export async function correctThreePlaces(page: Page): Promise<void> {
  await correct(page, 0, 'welcome to', 'a warm welcome to')
  await correct(page, 2, 'fundation', 'foundation')
  await correct(page, 3, 'mill', 'old mill')
  await saved(page, 3)
}

/** The drafts of what is being typed, as this browser stores them. */
export function storedDraft(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const open = indexedDB.open('parley-corrections')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const read = open.result.transaction('drafts').objectStore('drafts').getAll()
    await new Promise((resolve) => read.addEventListener('success', resolve))
    open.result.close()
    return JSON.stringify(read.result)
  })
}
