import { askApi } from '../../../src/service/testing/ask-api.ts'
import { comesTrue } from '../torture/rounds.ts'
import {
  type Choice,
  charactersOf,
  forgetSteps,
  type Kinds,
  newWord,
  type Step,
  settledTalkOf,
  talkOf,
} from './choice.ts'
import { patienceMs } from './device.ts'
import {
  decideForMine,
  findMark,
  giveTo,
  linesOf,
  mergeUp,
  replaceMark,
  retype,
  type Talk,
  type Turns,
  undoableOf,
} from './memory.ts'
import { readTxt, type Seat, type World } from './world.ts'

async function typeOver({ device }: Seat, turns: Turns, mark: number, text: string): Promise<void> {
  const { turn, word } = findMark(turns, mark) as { turn: number; word: number }
  const [from, to] = charactersOf(turns, turn, word, 1)
  await device.retype(turn, from, to, text)
}

async function openAt(seat: Seat, { talks }: World, number: number): Promise<void> {
  const talk = talks[number] as Talk
  await seat.device.openTalk(talk.id, talk.name, 'url')
  Object.assign(seat, { at: number, past: [], future: [] })
}

/** Both devices show the talk, and the first one loses its network. */
async function goOffline({ world, seat, other }: Choice): Promise<void> {
  if (other.at !== seat.at) await openAt(other, world, seat.at as number)
  await seat.device.offline(true)
}

async function comeBack({ world, seat }: Choice): Promise<void> {
  await seat.device.offline(false)
  forgetSteps(world)
}

/** Waits until the service has a text; `lookAround` reports one that never comes. */
async function untilServed({ service, account }: World, { id }: Talk, turns: Turns): Promise<void> {
  const read = async () => readTxt(await (await askApi(service.url, account.key, `file/${id}.txt`)).text())
  const wanted = linesOf(turns).join()
  const found = async () => (await read()).map(({ speaker, text }) => `${speaker}: ${text}`).join()
  await comesTrue(async () => (await found()) === wanted, patienceMs)
}

/** Marks of the talk's own words with two more on both sides: changes there touch no other correction. */
function quietPlaces({ turns, first }: Talk): number[] {
  const own = new Set(first.flatMap(({ words }) => words.map(({ mark }) => mark)))
  return turns.flatMap(({ words }) =>
    words.flatMap(({ mark }, at) =>
      [at - 2, at - 1, at, at + 1, at + 2].every((near) => {
        const word = words[near]
        return word !== undefined && own.has(word.mark) && word.mark === mark + near - at
      })
        ? [mark]
        : [],
    ),
  )
}

/** Undo takes the last state of `past` and leaves the present one to `future`; Redo the other way round. */
function stepBack(choice: Choice, button: 'Undo' | 'Redo', from: 'past' | 'future', to: 'past' | 'future'): Step {
  const { seat } = choice
  const talk = talkOf(choice)
  const before = seat[from].at(-1)
  if (talk === null || talk.isApproved || before === undefined) return null
  return {
    say: `presses ${button} in ${talk.name}`,
    run: async () => {
      await seat.device.panel.press(button)
      seat[from].pop()
      seat[to].push(undoableOf(talk))
      Object.assign(talk, before)
    },
  }
}

/** Steps back and forth, versions, conflicts of two devices, and the review. */
export const historyActs: Kinds = {
  undo: (choice: Choice): Step => stepBack(choice, 'Undo', 'past', 'future'),
  redo: (choice: Choice): Step => stepBack(choice, 'Redo', 'future', 'past'),

  /** One goes offline and changes a word, the other changes the same or another; then the first comes back. */
  offline: (choice: Choice): Step => {
    const { world, seat, other, act } = choice
    const talk = settledTalkOf(choice)
    if (talk === null) return null
    const places = quietPlaces(talk)
    const [mine, theirs] = [places[act.a % places.length], places[(act.b % 2 === 0 ? act.a : act.c) % places.length]]
    if (mine === undefined || theirs === undefined || (mine !== theirs && Math.abs(mine - theirs) < 4)) return null
    const [myWord, theirWord] = [newWord(world), newWord(world)]
    const isConflict = mine === theirs
    // Sent together with the first: each of a change's places must be looked at.
    const apart = places.find((place) => Math.abs(place - mine) > 3 && Math.abs(place - theirs) > 3)
    const more = apart === undefined || act.c % 2 === 0 ? null : { mark: apart, word: newWord(world) }
    const withMore = (turns: Turns) => (more === null ? turns : replaceMark(turns, more.mark, more.word))
    const also = more === null ? '' : `“${more.word}” over word ${more.mark}, and `
    const says = `offline types ${also}“${myWord}” over word ${mine} of ${talk.name}`
    return {
      say: `${says}; the other one “${theirWord}” over word ${theirs}`,
      run: async () => {
        await goOffline(choice)
        if (more !== null) await typeOver(seat, talk.turns, more.mark, more.word)
        await typeOver(seat, withMore(talk.turns), mine, myWord)
        await typeOver(other, talk.turns, theirs, theirWord)
        // Whoever is first has no conflict.
        await untilServed(world, talk, replaceMark(talk.turns, theirs, theirWord))
        let turns = withMore(replaceMark(talk.turns, theirs, theirWord))
        const place = findMark(talk.turns, theirs) as { turn: number; word: number }
        const mark = turns[place.turn]?.words[place.word]?.mark ?? 0
        if (!isConflict) turns = replaceMark(turns, mine, myWord)
        else talk.conflicts = [{ device: world.seats.indexOf(seat), mark, next: null, mine: myWord }]
        talk.turns = turns
        await comeBack(choice)
      },
    }
  },

  /** One goes offline and changes a word, the other moves its whole turn and changes another word: both are true. */
  offlineTurn: (choice: Choice): Step => {
    const { world, seat, other, act } = choice
    const talk = settledTalkOf(choice)
    if (talk === null) return null
    const places = quietPlaces(talk)
    const mine = places[act.a % places.length]
    const theirs = places.find((place) => mine !== undefined && Math.abs(place - mine) > 3)
    const index = mine === undefined ? 0 : (findMark(talk.turns, mine)?.turn ?? 0)
    if (mine === undefined || theirs === undefined || index === 0 || talk.turns.length < 4) return null
    const [myWord, theirWord] = [newWord(world), newWord(world)]
    const speaker = talk.turns.find((turn) => turn.speaker !== talk.turns[index]?.speaker)?.speaker
    const isGiven = act.b % 2 === 0 && speaker !== undefined
    const moved = isGiven ? giveTo(talk.turns, index, speaker) : mergeUp(talk.turns, index)
    const does = isGiven ? `gives turn ${index} to ${speaker}` : `merges turn ${index} with the one before`
    return {
      say: `offline types “${myWord}” over word ${mine} of ${talk.name}; the other one ${does}, and types “${theirWord}”`,
      run: async () => {
        await goOffline(choice)
        await typeOver(seat, talk.turns, mine, myWord)
        await (isGiven ? other.device.giveTo(index, speaker) : other.device.mergeUp(index))
        await typeOver(other, moved, theirs, theirWord)
        await untilServed(world, talk, replaceMark(moved, theirs, theirWord))
        talk.turns = replaceMark(replaceMark(moved, mine, myWord), theirs, theirWord)
        await comeBack(choice)
      },
    }
  },

  /** One goes offline and types over a word that the other deletes, or the other way round: a conflict. */
  offlineDelete: (choice: Choice): Step => {
    const { world, seat, other, act } = choice
    const talk = settledTalkOf(choice)
    if (talk === null) return null
    const places = quietPlaces(talk)
    const mark = places[act.a % places.length]
    const place = mark === undefined ? null : findMark(talk.turns, mark)
    if (mark === undefined || place === null) return null
    const word = newWord(world)
    const isMineDeleting = act.b % 2 === 0
    const [mine, theirs] = isMineDeleting ? ['', word] : [word, '']
    const does = (text: string) => (text === '' ? `deletes word ${mark}` : `types “${text}” over word ${mark}`)
    return {
      say: `offline ${does(mine)} of ${talk.name}; the other one ${does(theirs)}`,
      run: async () => {
        await goOffline(choice)
        await typeOver(seat, talk.turns, mark, mine)
        await typeOver(other, talk.turns, mark, theirs)
        const turns = retype(talk.turns, place.turn, place.word, 1, theirs)
        await untilServed(world, talk, turns)
        const markAt = (at: number) => turns[place.turn]?.words[at]?.mark ?? 0
        const around = isMineDeleting
          ? { mark: markAt(place.word), next: null }
          : { mark: markAt(place.word - 1), next: markAt(place.word) }
        talk.conflicts = [{ ...around, device: world.seats.indexOf(seat), mine }]
        talk.turns = turns
        await comeBack(choice)
      },
    }
  },

  /** On the device that has the conflict, whichever that is. */
  decide: ({ world, act }: Choice): Step => {
    const number = world.talks.findIndex(({ conflicts }) => conflicts.length > 0)
    const talk = world.talks[number]
    const [conflict] = talk?.conflicts ?? []
    if (talk === undefined || talk.isApproved || conflict === undefined) return null
    const decided = decideForMine(talk.turns, conflict)
    if (decided === null) return null
    const seat = world.seats[conflict.device as 0 | 1]
    const isMine = act.a % 3 !== 0
    return {
      say: `(the conflict is on ${conflict.device}) decides it for ${isMine ? `“${conflict.mine}”` : 'the other one'}`,
      run: async () => {
        if (seat.at !== number) await openAt(seat, world, number)
        await seat.device.panel.decide(isMine)
        if (isMine) talk.turns = decided
        talk.conflicts = []
        forgetSteps(world)
      },
    }
  },

  nameVersion: (choice: Choice): Step => {
    const talk = talkOf(choice)
    if (talk === null || talk.version !== null || linesOf(talk.turns).join() === linesOf(talk.first).join()) return null
    const name = `Version ${newWord(choice.world)}`
    return {
      say: `names the version “${name}” of ${talk.name}`,
      run: async () => {
        await choice.seat.device.panel.nameVersion(name)
        talk.version = { name, turns: talk.turns }
      },
    }
  },

  restore: (choice: Choice): Step => {
    const { world, seat, act } = choice
    const talk = talkOf(choice)
    if (talk === null || talk.isApproved || linesOf(talk.turns).join() === linesOf(talk.first).join()) return null
    const { name, turns } =
      talk.version === null || act.a % 2 === 0 ? { name: 'Original', turns: talk.first } : talk.version
    if (turns === talk.turns) return null
    return {
      say: `restores “${name}” of ${talk.name}`,
      run: async () => {
        await seat.device.panel.restore(name)
        talk.turns = turns
        forgetSteps(world)
      },
    }
  },

  approve: (choice: Choice): Step => {
    const { world, seat, act } = choice
    const talk = settledTalkOf(choice)
    if (talk === null) return null
    // Its press ends what is being typed.
    const word = act.b % 2 === 0 ? newWord(world) : null
    return {
      say: `approves ${talk.name}${word === null ? '' : ` while “${word}” is typed at its beginning`}`,
      run: async () => {
        if (word !== null) {
          await seat.device.type(0, 0, 0, `${word} `)
          talk.turns = retype(talk.turns, 0, 0, 0, word)
        }
        await seat.device.panel.approve()
        talk.isApproved = true
        forgetSteps(world)
      },
    }
  },

  reopen: (choice: Choice): Step => {
    const talk = talkOf(choice)
    if (talk === null || !talk.isApproved) return null
    return {
      say: `reopens ${talk.name}`,
      run: async () => {
        await choice.seat.device.panel.reopen()
        talk.isApproved = false
      },
    }
  },
}
