import { expect } from '@playwright/test'
import type { WordRecord } from '../../../src/contract/interface/words.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { automated, openTranscript, type Seeded, test, wordsOf } from '../../kit/seeded-transcripts.ts'

const json = (words: readonly unknown[]) => JSON.stringify(words)
const bare = ({ word, start, end }: WordRecord) => ({ word, start, end })
const many = () => Array.from({ length: 25_000 }, (_, turn) => `Turn ${turn} has eight words or a few.`).join('|')

/** Each input, and the expected message or text. Markup is text: it is matched as it was sent. */
const inputs: (Seeded & { says: string | RegExp; turns: number })[] = [
  { name: 'Empty', json: '[]', says: 'No speech was found in this recording', turns: 0 },
  { name: 'One word', json: json(wordsOf('Hello')), says: 'Hello', turns: 1 },
  {
    name: 'Markup and no spaces',
    json: json(wordsOf(`<img src=x onerror=alert(1)> <b>bold</b> ${'a'.repeat(2_000)}`)),
    txt: '00:00 <script>alert(1)</script>: x',
    says: '<img src=x onerror=alert(1)> <b>bold</b>',
    turns: 1,
  },
  {
    name: 'Out of order',
    json: json([3, 1, 2, 0].map((start) => ({ word: `at${start}`, start, end: start + 5, conf: 0.9 }))),
    says: 'at3 at1 at2 at0',
    turns: 1,
  },
  {
    name: 'No conf',
    json: json(wordsOf('Nobody knows how sure').map(bare)),
    options: automated,
    says: 'This transcript has no confidence values for its words.',
    turns: 1,
  },
  {
    name: 'Two hundred thousand',
    json: json(wordsOf(many())),
    says: 'Turn 0 has eight words or a few.',
    turns: 25_000,
  },
  {
    name: 'One turn of five hours',
    json: json(wordsOf(Array.from({ length: 36_000 }, (_, index) => `word${index}`).join(' '))),
    says: /^word0 word1 /,
    turns: 300,
  },
  { name: 'Right to left and CJK', json: json(wordsOf('שלום לכולם|今天 我们 讨论')), says: 'שלום לכולם', turns: 2 },
  {
    name: 'Cut short',
    json: json(wordsOf('This is cut short in the middle of it')).slice(0, 400),
    says: /^Only the first \d words arrived/,
    turns: 1,
  },
  { name: 'Not JSON', json: '<html>Bad gateway</html>', says: 'This is not a transcript with times', turns: 0 },
  { name: 'An object', json: '{"words":[]}', says: 'This is not a transcript with times', turns: 0 },
  {
    name: 'Strange entries',
    json: json([null, 5, { other: 1 }, ...wordsOf('Some words are fine.')]),
    says: '3 entries of this transcript could not be read and are missing.',
    turns: 1,
  },
]

for (const { name, says, turns, ...input } of inputs) {
  test(`bad input has its state, and its text is never markup: ${name}`, async ({ page, account, seeded }) => {
    await openTranscript(page, account, await seeded.seed(account, { name, ...input }))
    await expect(page.getByText(says).first()).toBeVisible()
    // The text is visible before all of it has arrived.
    const inSight = () => page.evaluate(() => Number(document.querySelector('article')?.ariaSetSize ?? 0))
    if (turns > 0) await expect.poll(inSight).toBeGreaterThanOrEqual(turns)
    else expect(await inSight()).toBe(0)
    const shown = await page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      markup: document.querySelectorAll('main img, main b, main script').length,
      isWide:
        (document.querySelector('.reader')?.scrollWidth ?? 0) > (document.querySelector('.reader')?.clientWidth ?? 0),
    }))
    expect(shown).toMatchObject({ markup: 0, isWide: false })
    expect(shown.elements).toBeLessThan(1_500)
    // One of each kind of state: empty, incomplete, right-to-left.
    if (/^(Empty|Cut short|Right to left)/.test(name)) await expectNoAxeFindings(page)
  })
}
