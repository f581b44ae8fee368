import {
  type Act,
  type Choice,
  charactersOf,
  type Kinds,
  newWord,
  pick,
  rememberStep,
  type Step,
  talkOf,
} from './choice.ts'
import { giveTo, mergeUp, rename, replaceAll, retype, split, type Turns, withoutFiller } from './memory.ts'

/** What people type: it must come out as it went in. */
const awkward = [
  'word',
  'um',
  '🌊',
  'שלום',
  'e\u0301te\u0302',
  '<b>bold</b>',
  '&amp;',
  '"quoted"',
  "o'clock",
  'ﬁne',
  '1:30',
  '-->',
  'x'.repeat(500),
  'two words',
  '#tag',
  '=SUM(A1)',
]
const people = [
  'Ada Obi',
  'Bob Okafor',
  'Łukasz O’Neil',
  'Dr Katherine Whitfield-Okonkwo of the Harbour Board',
  'ש. כהן',
]

/** An act that changes the text of the talk at hand. */
function edit(
  choice: Choice,
  plan: (turns: Turns, act: Act) => { say: string; after: Turns; run: () => Promise<void> } | null,
): Step {
  const talk = talkOf(choice)
  if (talk === null || talk.isApproved) return null
  const planned = plan(talk.turns, choice.act)
  if (planned === null || planned.after.length === 0) return null
  return {
    say: `${planned.say} in ${talk.name}`,
    run: async () => {
      await planned.run()
      rememberStep(choice, talk)
      talk.turns = planned.after
    },
  }
}

const turnAndWord = (turns: Turns, { a, b }: Act) => {
  const index = a % turns.length
  return { index, at: b % (turns[index]?.words.length ?? 1) }
}

/** Corrections of the text. */
export const textActs: Kinds = {
  retype: (choice: Choice) =>
    edit(choice, (turns, act) => {
      const { index, at } = turnAndWord(turns, act)
      const text = act.c % 3 === 0 ? newWord(choice.world) : pick(awkward, act.c)
      const [from, to] = charactersOf(turns, index, at, 1)
      return {
        say: `types “${text.slice(0, 20)}” over word ${at} of turn ${index}`,
        after: retype(turns, index, at, 1, text),
        run: () => choice.seat.device.retype(index, from, to, text),
      }
    }),

  insert: (choice: Choice) =>
    edit(choice, (turns, act) => {
      const { index, at } = turnAndWord(turns, act)
      const text = act.c % 3 === 0 ? newWord(choice.world) : pick(awkward, act.c)
      const [from] = charactersOf(turns, index, at, 0)
      return {
        say: `inserts “${text.slice(0, 20)}” before word ${at} of turn ${index}`,
        after: retype(turns, index, at, 0, text),
        run: () => choice.seat.device.retype(index, from, from, `${text} `),
      }
    }),

  remove: (choice: Choice) =>
    edit(choice, (turns, act) => {
      const { index, at } = turnAndWord(turns, act)
      const count = 1 + (act.c % 3)
      const words = turns[index]?.words ?? []
      // Its words may be in two blocks.
      if (words.length <= count || words.some(({ text }) => text.length > 400)) return null
      const [from, to] = charactersOf(turns, index, at, count)
      return {
        say: `deletes ${count} words from word ${at} of turn ${index}`,
        after: retype(turns, index, at, count, ''),
        run: () => choice.seat.device.retype(index, from, to, ''),
      }
    }),

  split: (choice: Choice) =>
    edit(choice, (turns, act) => {
      const { index, at } = turnAndWord(turns, act)
      if (at === 0 || turns.length > 14) return null
      const [from] = charactersOf(turns, index, at, 0)
      return {
        say: `splits turn ${index} before word ${at}`,
        after: split(turns, index, at),
        run: () => choice.seat.device.split(index, from),
      }
    }),

  merge: (choice: Choice) =>
    edit(choice, (turns, { a }) => {
      const index = a % turns.length
      if (index === 0 || turns.length < 4) return null
      return {
        say: `merges turn ${index} with the one before`,
        after: mergeUp(turns, index),
        run: () => choice.seat.device.mergeUp(index),
      }
    }),

  giveTo: (choice: Choice) =>
    edit(choice, (turns, { a, b }) => {
      const index = a % turns.length
      const names = [...new Set(turns.map(({ speaker }) => speaker))].filter((one) => one !== turns[index]?.speaker)
      if (names.length === 0) return null
      const name = pick(names, b)
      return {
        say: `gives turn ${index} to ${name}`,
        after: giveTo(turns, index, name),
        run: () => choice.seat.device.giveTo(index, name),
      }
    }),

  giveToNew: (choice: Choice) =>
    edit(choice, (turns, { a, b }) => {
      const index = a % turns.length
      const name = `${pick(people, b)} ${newWord(choice.world)}`
      return {
        say: `gives turn ${index} to ${name}, who is new`,
        after: giveTo(turns, index, name),
        run: () => choice.seat.device.giveToNew(index, name),
      }
    }),

  rename: (choice: Choice) =>
    edit(choice, (turns, { a, b, c }) => {
      const from = turns[a % turns.length]?.speaker ?? ''
      const to = c % 2 === 0 ? pick(people, b) : `${pick(people, b)} ${newWord(choice.world)}`
      if (to === from) return null
      return {
        say: `renames ${from} to ${to}`,
        after: rename(turns, from, to),
        run: () => choice.seat.device.rename(from, to),
      }
    }),

  replaceAll: (choice: Choice) =>
    edit(choice, (turns, { a, b }) => {
      const index = a % turns.length
      const wanted = pick(turns[index]?.words ?? [], b)?.text ?? ''
      if (!/^[a-z0-9]{4,}$/.test(wanted)) return null
      const isElsewhere = turns.some(({ words }) =>
        words.some(({ text }) => text !== wanted && text.toLowerCase().includes(wanted)),
      )
      if (isElsewhere) return null
      const by = newWord(choice.world)
      return {
        say: `replaces every “${wanted}” by “${by}”`,
        after: replaceAll(turns, wanted, by),
        run: () => choice.seat.device.replaceAll(wanted, by),
      }
    }),

  fillers: (choice: Choice) =>
    edit(choice, (turns) => {
      const isInside = ({ words }: Turns[number]) => words[0]?.text !== 'um' && words.at(-1)?.text !== 'um'
      const all = turns.flatMap(({ words }) => words).filter(({ text }) => text === 'um')
      const isPlain = turns.every(({ words }) =>
        words.every(({ text }, at) => text !== 'um' || !/[.,!?]$/.test(words[at - 1]?.text ?? '')),
      )
      if (all.length === 0 || !turns.every(isInside) || !isPlain) return null
      return {
        say: `takes out ${all.length} fillers`,
        after: withoutFiller(turns, 'um'),
        run: () => choice.seat.device.panel.takeOutFillers(),
      }
    }),
}
