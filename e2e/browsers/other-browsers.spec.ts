import { expect } from '@playwright/test'
import { plainSentence, speak } from '../../src/service/recognition/testing/speak.ts'
import { downloadedText } from '../kit/downloaded-text.ts'
import { harbour, harbourText, middleOfWord } from '../kit/harbour-talk.ts'
import { automated, test as base, type SeededService } from '../kit/seeded-transcripts.ts'
import type { NewAccount, ServiceProcess } from '../kit/service-process.ts'
import { allStored } from '../kit/stored-in-browser.ts'
import { sessionOf } from '../kit/stored-session.ts'
import { type BrowserName, browserNames, isInstalled, OtherBrowser } from './other-browser.ts'

/* Main flows in the engines of Firefox and Safari. Asserts the resulting text, on the page and in the files. */

const test = base.extend<{ name: BrowserName; other: OtherBrowser }>({
  name: ['Firefox', { option: true }],
  other: async ({ name }, use) => {
    const other = await OtherBrowser.start(name)
    await use(other)
    await other.close()
  },
  loggedErrors: async ({ other }, use) => {
    await use([])
    expect(await other.loggedErrors(), 'errors logged by the page').toEqual([])
  },
})

test.use({ engine: 'pocketsphinx' })

type Opened = { other: OtherBrowser; account: NewAccount; service: ServiceProcess; seeded: SeededService }

/** Opens the talk by the harbor, signed in and ready to be corrected. */
async function openHarbour({ other, account, service, seeded }: Opened): Promise<void> {
  const id = await seeded.seed(account, { ...harbour(harbourText), options: automated })
  await other.open(new URL('/sign-in', service.url))
  await other.run((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value)
  }, sessionOf(account))
  await other.open(new URL(`/live/files/${id}`, service.url))
  await other.press(/^Edit$/)
  await other.shows(/No corrections yet/)
}

const turns = (other: OtherBrowser) =>
  other.run(() => [...document.querySelectorAll('[role="feed"] p')].map((paragraph) => paragraph.textContent))

const turnsBecome = (other: OtherBrowser, changes: Record<number, string>) =>
  expect.poll(() => turns(other)).toEqual(harbourText.split('|').map((text, index) => changes[index] ?? text))

/** The selection, and the caret position in its turn. */
const selection = (other: OtherBrowser) =>
  other.run(() => ({ text: String(getSelection()), caret: getSelection()?.focusOffset }))

async function clickWord(other: OtherBrowser, word: string, times = 1): Promise<void> {
  await other.click((await other.run(middleOfWord, word)) ?? [0, 0], times)
}

for (const name of browserNames) {
  test.describe(`in ${name}`, () => {
    test.use({ name })
    test.skip(!isInstalled(name), 'needs the browsers of npm run setup -- --browsers')

    test('from a key to the corrected files, and no key is left behind', async ({ other, service, account }) => {
      await other.open(service.url)
      await other.press(/^API key/)
      await other.type(account.key)
      await other.key('Enter')
      await other.press(/^New order$/)
      await other.press(/^Automated/)
      await other.chooseFiles('input[aria-label="Choose files"]', [await speak(plainSentence, 'Town meeting.wav')])
      // It moves the button, which is clicked where it is.
      await other.shows(/Ready after the upload/)
      await other.press(/^Upload and pay \$/)
      await other.shows(/all ready/, 90_000)
      await other.press(/^Town meeting$/)
      await other.press(/^Edit$/)
      await other.shows(/No corrections yet/)
      const [before = ''] = await turns(other)
      const [, word = ''] = before.split(' ')

      await clickWord(other, word, 2)
      await other.type('harbour')
      await other.key('Enter')
      await other.shows(/1 correction · saved/)
      await other.press(/^Read$/)
      await other.press(/^Rename Speaker 1$/)
      await other.type('Ada Obi')
      await other.key('Enter')
      await other.shows(/2 corrections · saved/)
      const after = before.replace(word, 'harbour')
      expect(await turns(other)).toEqual([after])

      await other.press(/^Download$/)
      await other.press(/^PDF.+/)
      const pdf = await other.downloaded('Town meeting corrected.pdf')
      expect(await downloadedText(pdf)).toContain(`Ada Obi ${after}`)
      // In the menu each format's name is followed by a note.
      await other.press(/^Download$/)
      await other.press(/^SRT.+/)
      expect(await downloadedText(await other.downloaded('Town meeting corrected.srt'))).toContain(after)

      await other.press(/^Back to files$/)
      await other.press(/^Select all files shown$/)
      await other.press(/^Download all as ZIP$/)
      await other.press(/^Save ZIP$/)
      const zip = await other.downloaded(`transcripts ${new Date().toISOString().slice(0, 10)}.zip`)
      expect(await downloadedText(zip)).toContain(after)
      await other.press(/^Done$/)

      await other.press(/^Sign out$/)
      await other.shows(/Sign in with your API key/)
      await expect.poll(() => other.run(allStored)).not.toContain(account.key)
    })

    test('a double click on a word and typing replace only that word', async ({ other, service, account, seeded }) => {
      await openHarbour({ other, service, account, seeded })
      await clickWord(other, 'welcome')
      await clickWord(other, 'harbour', 2)
      expect(await selection(other)).toMatchObject({ text: 'harbour' })
      await other.type('harbor')
      await turnsBecome(other, { 0: 'Good morning and welcome to the harbor talk.' })
      await other.key('Enter')
      await other.shows(/1 correction · saved/)

      await clickWord(other, 'people', 2)
      await other.type('folk')
      await turnsBecome(other, { 0: 'Good morning and welcome to the harbor talk.', 3: 'Yes, folk forget the mill.' })
      // Uses the browser's undo command, since its shortcut varies.
      await other.run(() => document.execCommand('undo'))
      await turnsBecome(other, { 0: 'Good morning and welcome to the harbor talk.' })
      await other.key('Escape')
      await turnsBecome(other, { 0: 'Good morning and welcome to the harbor talk.' })
      await other.key('Control+z')
      await turnsBecome(other, {})
      await other.key('Control+Shift+z')
      await turnsBecome(other, { 0: 'Good morning and welcome to the harbor talk.' })
    })

    test('a click places the caret, and typing inserts there', async ({ other, service, account, seeded }) => {
      await openHarbour({ other, service, account, seeded })
      const before = 'Shall we begin with the fundation stones?'
      await clickWord(other, 'fundation', 2)
      await clickWord(other, 'stones')
      const { text, caret } = await selection(other)
      expect(text).toBe('')
      expect(before.slice(0, caret)).toMatch(/fundation st?o?n?e?$/)
      await other.type('…')
      await other.key('Enter')
      await turnsBecome(other, { 2: `${before.slice(0, caret)}…${before.slice(caret)}` })
    })

    test('if clicks place the caret, a click moves it from one edited turn to the next', async ({
      other,
      service,
      account,
      seeded,
    }) => {
      await openHarbour({ other, service, account, seeded })
      await other.press(/^Edit$/)
      await other.press(/^Playback settings…$/)
      await other.shows(/Places the caret/)
      await other.run(() => {
        for (const label of document.querySelectorAll('label'))
          if (label.textContent === 'Places the caret') label.click()
      })
      await other.press(/^Close$/)
      await expect.poll(() => other.run(() => document.querySelector('[role="dialog"]') === null)).toBe(true)
      await clickWord(other, 'welcome')
      await other.type('XX')
      await expect
        .poll(async () => (await turns(other))[0])
        .toMatch(/^Good morning and w\w*XX\w* to the harbour talk\.$/)
      await clickWord(other, 'people')
      await other.type('YY')
      await expect.poll(async () => (await turns(other))[3]).toMatch(/^Yes, p\w*YY\w* forget the mill\.$/)
      await clickWord(other, 'forget', 2)
      await other.key('Alt+Delete')
      await expect.poll(async () => (await turns(other))[3]).toMatch(/^Yes, p\w*YY\w* the mill\.$/)
      await other.key('Enter')
      await other.shows(/2 corrections · saved/)
    })

    test('a turn is corrected by keyboard, and left for the next', async ({ other, service, account, seeded }) => {
      await openHarbour({ other, service, account, seeded })
      await other.run(() => document.querySelector<HTMLElement>('.reader')?.focus())
      await other.key('Enter')
      await other.key('ArrowDown')
      await other.key('Enter')
      expect(await selection(other)).toEqual({ text: '', caret: 0 })
      await other.type('Well, ')
      await other.key('Tab')
      await turnsBecome(other, { 1: 'Well, Thank you, it is good to be here.' })
      await other.type('So: ')
      await other.key('Enter')
      await turnsBecome(other, {
        1: 'Well, Thank you, it is good to be here.',
        2: 'So: Shall we begin with the fundation stones?',
      })
    })

    test('a turn is split at the caret, and merged again', async ({ other, service, account, seeded }) => {
      await openHarbour({ other, service, account, seeded })
      await clickWord(other, 'we', 2)
      await other.click((await other.run(middleOfWord, 'begin')) ?? [0, 0])
      await other.key('Control+Enter')
      await expect.poll(() => turns(other)).toHaveLength(5)
      expect((await turns(other)).slice(2, 4)).toEqual(['Shall we begin', 'with the fundation stones?'])
      await other.key('Control+Backspace')
      await turnsBecome(other, {})
    })

    test('doubtful words are visibly marked', async ({ other, service, account, seeded }) => {
      await openHarbour({ other, service, account, seeded })
      let marked = ''
      const rests = async () => {
        const before = marked
        marked = await other.screenshot()
        return marked === before
      }
      // Fonts and the waveform may load after the text.
      await expect.poll(rests).toBe(true)
      await other.run(() => CSS.highlights.get('doubt')?.clear())
      await expect.poll(() => other.screenshot()).not.toBe(marked)
    })
  })
}
