import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { find } from './find.ts'
import { type Block, groupBlocks, type Passage } from './passages.ts'
import { readQuery } from './query.ts'
import { openTestIndex, type TestIndex } from './testing/open-index.ts'

let room: TestIndex
beforeEach(async () => {
  room = await openTestIndex()
})
afterEach(() => room.remove())

/** Words with their hand-written normalized forms. */
const spellings: Record<string, readonly string[]> = {
  mill: ['mill'],
  Mill: ['mill'],
  milling: ['milling'],
  'Mühle,': ['muhle'],
  river: ['river'],
  'well-known': ['well', 'known'],
  known: ['known'],
  東京: ['東', '京'],
  京都: ['京', '都'],
  '🙂': ['🙂'],
  كِتاب: ['كتاب'],
  '…': [],
}
const speakers = ['Anna', 'Ben Mill', '']

type Turn = { speaker: string; words: readonly string[] }
type Text = { account: 0 | 1; file: number; turns: readonly Turn[] }

const word = fc.constantFrom(...Object.keys(spellings))
const turn = fc.record({ speaker: fc.constantFrom(...speakers), words: fc.array(word, { minLength: 1, maxLength: 8 }) })
const text: fc.Arbitrary<Text> = fc.record({
  account: fc.constantFrom(0 as const, 1 as const),
  file: fc.nat(4),
  turns: fc.array(turn, { maxLength: 12 }),
})
const change = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.record({ gone: fc.nat(4) }) })
const term = fc.oneof(
  word,
  fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
  fc.constantFrom(
    'mil*',
    'k*',
    '京*',
    '-river',
    '-"well-known"',
    'speaker:anna',
    '-speaker:ben',
    'Interview',
    'INTER*',
  ),
)
const queries = fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8 })

function blocks(turns: readonly Turn[], perBlock: number): Block[] {
  let number = 0
  const passages = turns.map(({ speaker, words }): Passage => {
    const numbers = words.map(() => number++)
    return { speaker, words, own: words.length, numbers, starts: numbers.map((at) => at * 4) }
  })
  const cut = Array.from({ length: Math.ceil(passages.length / perBlock) }, (_, at) =>
    passages.slice(at * perBlock, (at + 1) * perBlock),
  )
  return cut.length === 0 ? groupBlocks([]) : cut
}

/** A plain scan, independent of the index. */
function scan(turns: readonly Turn[], name: readonly string[], terms: readonly string[]): number | 'name' | null {
  const hasOnlyMinus = terms.every((one) => one.startsWith('-') || one === '…' || /^"[… ]*"$/.test(one))
  const parsed = terms.map((one) => {
    const isMinus = one.startsWith('-')
    const rest = isMinus ? one.slice(1) : one
    const isSpeaker = rest.startsWith('speaker:')
    const bare = rest.replace('speaker:', '').replaceAll('"', '')
    const tokens = bare.endsWith('*')
      ? [bare.slice(0, -1).toLowerCase()]
      : bare.split(' ').flatMap((each) => spellings[each] ?? [each.toLowerCase()])
    return { isMinus: isMinus && !hasOnlyMinus, isSpeaker, tokens, isPrefix: bare.endsWith('*') }
  })
  const wanted = parsed.filter(({ tokens }) => tokens.length > 0)
  if (wanted.every(({ isMinus }) => isMinus)) return null
  const within = (tokens: readonly string[], { tokens: sought, isPrefix }: (typeof wanted)[number]) =>
    ` ${tokens.join(' ')} `.includes(` ${sought.join(' ')}${isPrefix ? '' : ' '}`)
  for (const [index, { speaker, words }] of turns.entries()) {
    const said = words.flatMap((each) => spellings[each] ?? [])
    const by = speaker.toLowerCase().split(' ')
    const isFound = wanted.every((one) => {
      const isThere = one.isSpeaker
        ? within(by, one)
        : [said, ...(one.isMinus ? [] : [by, name])].some((each) => within(each, one))
      return one.isMinus ? !isThere : isThere
    })
    const isOfTurn = wanted.some((one) => !one.isMinus && (one.isSpeaker || within(said, one) || within(by, one)))
    if (isFound && isOfTurn) return index
  }
  const positive = wanted.filter(({ isMinus }) => !isMinus)
  return positive.every((one) => !one.isSpeaker && within(name, one)) ? 'name' : null
}

const idOf = (account: 0 | 1, file: number) => `f${account}${file}`
const nameOf = (file: number) => `Interview ${file}`

describe('matches', () => {
  test('equal those of a plain scan of the texts, after any changes, for each account separately', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        queries,
        fc.integer({ min: 1, max: 3 }),
        async (changes, asked, perBlock) => {
          for (const id of await room.index.ids('', 100)) await room.index.remove(id)
          const texts = new Map<string, Text>()
          const nos = new Map<string, number>()
          let stamp = 0
          for (const one of changes) {
            if ('gone' in one) {
              const id = idOf(0, one.gone)
              texts.delete(id)
              nos.delete(id)
              await room.index.remove(id)
              continue
            }
            const id = idOf(one.account, one.file)
            const accountId = room.accounts[one.account]
            await room.addFile(id, accountId)
            await room.index.put({
              id,
              accountId,
              name: nameOf(one.file),
              createdAt: 5,
              stamp: `${stamp++}`,
              blocks: blocks(one.turns, perBlock),
            })
            if (!nos.has(id)) nos.set(id, stamp)
            texts.set(id, one)
          }
          for (const terms of asked) {
            for (const account of [0, 1] as const) {
              const expected = [...texts]
                .filter(([, { account: of }]) => of === account)
                .sort(([one], [other]) => (nos.get(other) ?? 0) - (nos.get(one) ?? 0))
                .flatMap(([id, { turns, file }]) => {
                  const place = scan(turns, ['interview', String(file)], terms)
                  return place === null ? [] : [{ id, place }]
                })
              const some = expected
                .flatMap(({ id }, index) => (index % 2 === 0 ? [id] : []))
                .concat(idOf(account === 0 ? 1 : 0, 0))
              for (const [skimmed, only] of [
                [0, null],
                [64, null],
                [0, some],
                [64, some],
              ] as const) {
                const found = []
                for (let below: number | null = Number.MAX_SAFE_INTEGER; below !== null; ) {
                  const wanted = {
                    accountId: room.accounts[account],
                    query: readQuery(terms.join(' ')),
                    only,
                    below,
                    limit: 2,
                  }
                  if (wanted.query.terms.length + wanted.query.speakers.length === 0) break
                  const page = await find(room.index, wanted, skimmed)
                  found.push(...page.files)
                  below = page.next
                }
                const places = found.map(({ id, sentences: [first] }) => {
                  const { turns = [] } = texts.get(id) ?? {}
                  const firstWords = turns.map((_, index) =>
                    turns.slice(0, index).reduce((sum, { words }) => sum + words.length, 0),
                  )
                  return {
                    id,
                    place: first === undefined ? 'name' : firstWords.findLastIndex((at) => at <= first.words[0]),
                  }
                })
                const wanted = only === null ? expected : expected.filter(({ id }) => only.includes(id))
                expect(places, `${terms.join(' ')} ${skimmed} ${only}`).toEqual(wanted)
              }
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('are shown as a sentence with its words marked, speaker, time, and position in the transcript', async () => {
    const [accountId] = room.accounts
    await room.addFile('f', accountId)
    const words = 'It rained. We went down to the old mill by the Old river. Then home.'.split(' ')
    const numbers = words.map((_, index) => index + 100)
    const passage = { speaker: 'Anna', words, own: words.length, numbers, starts: numbers.map((number) => number * 5) }
    await room.index.put({ id: 'f', accountId, name: 'Tape', createdAt: 5, stamp: '1', blocks: [[passage]] })
    const ask = async (q: string) => {
      const { files } = await find(
        room.index,
        { accountId, query: readQuery(q), only: null, below: 1e15, limit: 20 },
        0,
      )
      return files[0]?.sentences[0]
    }
    const found = await ask('"old mill" river')
    expect(found).toEqual({
      speaker: 'Anna',
      start_ms: 102 * 500,
      words: [107, 109],
      text: 'We went down to the old mill by the Old river.',
      marks: [
        [20, 28],
        [40, 46],
      ],
    })
    expect(found?.text.slice(20, 28)).toBe('old mill')
    expect(await ask('from:1971 mill')).toBeUndefined()
    expect(await ask('before:1971 mill')).toBeDefined()
  })

  test('include nothing of a removed file or of replaced text: no word unique to it stays in the index', async () => {
    const [accountId] = room.accounts
    const own = (file: number) =>
      Array.from({ length: 300 }, (_, at) => `q${((file * 300 + at) * 7_919).toString(36)}xz`)
    for (let file = 0; file < 12; file++) {
      const turns = own(file).map((one, at) => ({ speaker: 'Anna', words: [`word${at % 40}`, one] }))
      await room.addFile(`f${file}`, accountId)
      const entry = { id: `f${file}`, accountId, name: nameOf(file), createdAt: 5, stamp: '1' }
      await room.index.put({ ...entry, blocks: blocks(turns, 50) })
    }
    await room.index.remove('f3')
    const bytes = await room.bytes()
    expect(own(3).filter((one) => bytes.includes(one))).toEqual([])
    expect(own(4).filter((one) => bytes.includes(one)).length).toBeGreaterThan(0)
    const corrected = { id: 'f4', accountId, name: nameOf(4), createdAt: 5, stamp: '2' }
    await room.index.put({ ...corrected, blocks: blocks([{ speaker: 'Anna', words: ['word1'] }], 50) })
    const left = await room.bytes()
    expect(own(4).filter((one) => left.includes(one))).toEqual([])
    expect(own(5).filter((one) => left.includes(one)).length).toBeGreaterThan(0)
  })
})
