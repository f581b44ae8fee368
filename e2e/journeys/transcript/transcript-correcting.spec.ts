import { expect } from '@playwright/test'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import {
  correct,
  correctThreePlaces,
  field,
  harbour,
  harbourText,
  openHarbour,
  placeOf,
  saved,
  storedDraft,
  turn,
} from '../../kit/harbour-talk.ts'
import { openTranscript, test } from '../../kit/seeded-transcripts.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

test('a word is found and counted', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.keyboard.press('/')
  await page.keyboard.type('harbour')
  await expect(page.getByRole('search').getByText(/^1 of 1$/)).toBeVisible()
})

test('a correction stays over a reload, and markup in it is text', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await correct(page, 0, 'Good morning', 'Indeed <b>markup</b>')
  const corrected = 'Indeed <b>markup</b> and welcome to the harbour talk.'
  await expect(turn(page, 0)).toHaveText(corrected)
  await saved(page, 1)
  await page.reload()
  await expect(turn(page, 0)).toHaveText(corrected)
})

test('a turn that is opened before the text can be corrected opens once it can', async ({ page, account, seeded }) => {
  const id = await seeded.seed(account, harbour(harbourText))
  const held = Promise.withResolvers<void>()
  await page.route(/\.txt(\?|$)/, async (route) => {
    await held.promise
    await route.continue()
  })
  await openTranscript(page, account, id)
  await page.getByRole('article').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^No corrections yet/)).toHaveCount(0)
  await expect(field(page)).toHaveCount(0)
  held.resolve()
  await expect(field(page)).toBeFocused()
})

test('two tabs show the same corrections, including undo and redo', async ({ page, account, seeded }) => {
  const id = await openHarbour(page, account, seeded)
  const before = 'Yes, people forget the mill.'
  const corrected = 'Yes, people forget the old mill.'
  await correct(page, 3, 'mill', 'old mill')
  await saved(page, 1)
  const other = await page.context().newPage()
  await openTranscript(other, account, id)
  await expect(turn(other, 3)).toHaveText(corrected)
  await page.keyboard.press('Control+z')
  for (const tab of [page, other]) await expect(turn(tab, 3)).toHaveText(before)
  await page.keyboard.press('Control+Shift+z')
  for (const tab of [page, other]) await expect(turn(tab, 3)).toHaveText(corrected)
})

test('an editor double clicks a word and types: only that word is replaced, also after a click on another', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await page.mouse.click(...(await placeOf(page, 'welcome')))
  await page.mouse.dblclick(...(await placeOf(page, 'harbour')))
  await page.keyboard.type('harbor')
  await page.keyboard.press('Enter')
  await expect(turn(page, 0)).toHaveText('Good morning and welcome to the harbor talk.')
  // It reuses the name field: typing replaces its content.
  await openTask(page, 'Read')
  await page.getByRole('button', { name: 'Rename Ann Lee' }).click()
  await page.keyboard.type('Dr Katherine Whitfield-Okonkwo of the Harbour Board')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Dr Katherine Whitfield-Okonkwo of' })).toBeVisible()
  // Its name takes two lines at most, and no name overlaps the next turn.
  const turns = await page.getByRole('article').evaluateAll((all) =>
    all.map((one) => {
      const { top } = one.getBoundingClientRect()
      const { bottom } = (one.querySelector('time') as Element).getBoundingClientRect()
      return { top, bottom }
    }),
  )
  for (const [index, { bottom }] of turns.slice(0, -1).entries()) {
    expect(bottom).toBeLessThan(turns[index + 1]?.top ?? 0)
  }
})

test('a turn is merged with the one before, and undone', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await turn(page, 1).dblclick({ position: { x: 8, y: 12 } })
  await page.getByRole('button', { name: 'Merge up' }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('by keyboard alone a turn gets another speaker and is split', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.getByRole('region', { name: 'Transcript' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  const paragraph = await page.locator('article:focus').getByRole('paragraph').elementHandle()
  await page.keyboard.press('Enter')
  // Orca takes letters typed in a paragraph that has become a field as its commands.
  expect(await paragraph?.evaluate(({ isConnected }) => isConnected)).toBe(false)
  let speaker = 'Bob Okafor'
  // Twice: the second time, the dialog's code is loaded, so that it opens while the menu fades out.
  for (const name of ['Cem Aydin', 'Dora Kaya']) {
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('F6')
    await expect(page.getByRole('toolbar').getByRole('button', { name: speaker })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /^New speaker/ }).press('Enter')
    // The field has the focus, also once the menu has faded out: nobody clicks before typing.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(page.getByRole('dialog', { name: 'Speaker of this turn' }).getByLabel('Name')).toBeFocused()
    await page.keyboard.type(name)
    await expectNoAxeFindings(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article').nth(1).getByRole('heading', { name })).toBeVisible()
    speaker = name
  }

  // The caret is in the turn again; splitting creates a new one at its second word.
  await field(page).press('Control+ArrowRight')
  await field(page).press('Control+Enter')
  await expect(page.getByRole('article')).toHaveCount(5)
  await expect(turn(page, 1)).toHaveText('Thank')
})

test('a word is replaced everywhere, and undone at once', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.keyboard.press('/')
  await page.keyboard.type('the ')
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Replace with').fill('that ')
  await expectNoAxeFindings(page)
  // Find may be closed at once, also where a line is slow.
  await page.route('**/assets/**', async (route) => setTimeout(() => void route.continue(), 1_000))
  await page.getByRole('button', { name: 'Replace all 3' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close find' }).click()
  await expect(turn(page, 0)).toHaveText('Good morning and welcome to that harbour talk.')
  await expect(turn(page, 3)).toHaveText('Yes, people forget that mill.')
  // Its button takes back that step only: any other change ends it.
  const undo = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' })
  await undo.click()
  await expect(turn(page, 3)).toHaveText('Yes, people forget the mill.')
  await expect(undo).toBeHidden()
  await page.keyboard.press('Control+Shift+Z')
  await expect(turn(page, 3)).toHaveText('Yes, people forget that mill.')
  await expect(undo).toBeHidden()
})

test('a speaker is renamed everywhere; two names for one person become one', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await openTask(page, 'Read')
  const shown = () => page.evaluate(() => [...(CSS.highlights.get('span') ?? [])].map(String))
  for (const words of ['Good morning', 'Shall we begin', 'Good morning']) {
    await page.getByRole('button', { name: 'Ann Lee: next turn' }).click()
    await expect.poll(shown).toEqual([expect.stringContaining(words)])
  }
  await page.getByRole('button', { name: 'Rename Ann Lee' }).click()
  await page.getByLabel('New name of Ann Lee').fill('Ada Obi')
  await page.keyboard.press('Enter')
  for (const index of [0, 2])
    await expect(page.getByRole('article').nth(index).getByRole('heading', { name: 'Ada Obi' })).toBeVisible()
  await openTask(page, 'Read')
  await page.getByRole('button', { name: 'Rename Ada Obi' }).click()
  await page.getByLabel('New name of Ada Obi').fill('Bob Okafor')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Ada Obi' })).toBeHidden()
  await expect(page.getByRole('article').first().getByRole('heading', { name: 'Bob Okafor' })).toBeVisible()
})

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`axe finds nothing at ${width}, reading in both themes and correcting`, async ({ page, account, seeded }) => {
    await openHarbour(page, account, seeded)
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.getByRole('article').first()).toBeVisible()
      await expectNoAxeFindings(page)
    }
    await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
    await expect(page.getByRole('toolbar', { name: 'Correcting a turn' })).toBeVisible()
    await expectNoAxeFindings(page)
    if (width !== 390) return
    await field(page).fill('Good morning.')
    await field(page).press('Enter')
    await expect(page.locator('header').getByText('1 correction · saved')).toBeVisible()
  })
}

test('a tab that ends while somebody types loses at most the last second', async ({ page, account, seeded }) => {
  const id = await openHarbour(page, account, seeded)
  await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
  await field(page).press('End')
  await page.keyboard.type(' and one more thing')
  await expect.poll(() => storedDraft(page)).toContain('thing')
  await page.goto('chrome://crash').catch(() => undefined)
  const again = await page.context().newPage()
  await openTranscript(again, account, id)
  await expect(again.getByText('What you were typing was kept')).toBeVisible()
  await expect(again.getByText('In the turn of Ann Lee at 00:00.')).toBeVisible()
  const marked = () => again.evaluate(() => [...(CSS.highlights.get('span') ?? [])].join('|'))
  await expect.poll(marked).toMatch(/and one more thing$/)
  await expect(turn(again, 0)).toHaveText(/and one more thing$/)
  await saved(again, 1)
  await again.reload()
  await saved(again, 1)
  await expect(turn(again, 0)).toHaveText(/and one more thing$/)
  await expect(again.getByText('What you were typing was kept')).toHaveCount(0)
  // A reload has time for the last letters.
  await turn(again, 0).dblclick({ position: { x: 8, y: 12 } })
  await field(again).press('Control+End')
  await again.keyboard.type(' A')
  await expect.poll(() => storedDraft(again)).toContain('"A"')
  await again.keyboard.type('bercrombie')
  await again.reload()
  await expect(turn(again, 0)).toHaveText(/and one more thing Abercrombie$/)
})

test('a link to words marks them, although corrections before them arrive after the text', async ({
  page,
  account,
  seeded,
}) => {
  const id = await openHarbour(page, account, seeded)
  await correctThreePlaces(page)
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('span') ?? [])].join('|'))
  for (const [words, expected] of [
    ['26', 'the'],
    ['21-22', 'foundation stones?'],
    ['27', 'mill.'],
  ] as const) {
    await page.goto('/live/files')
    await page.goto(`/live/files/${id}#w=${words}`)
    await saved(page, 3)
    await expect(turn(page, 0)).toContainText('a warm welcome')
    await expect.poll(marked).toBe(expected)
  }
})
