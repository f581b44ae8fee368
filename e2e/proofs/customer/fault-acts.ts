import { type Choice, charactersOf, forgetSteps, type Kinds, newWord, type Step, talkOf } from './choice.ts'
import { retype } from './memory.ts'

/** A word typed over the first one of a turn while something fails, which must not lose it. */
function typeDuring(choice: Choice, fault: string, before: () => Promise<void>, after: () => Promise<void>): Step {
  const { world, seat, act } = choice
  const talk = talkOf(choice)
  if (talk === null || talk.isApproved) return null
  const index = act.a % talk.turns.length
  const at = act.b % (talk.turns[index]?.words.length ?? 1)
  const word = newWord(world)
  const [from, to] = charactersOf(talk.turns, index, at, 1)
  return {
    say: `types “${word}” over word ${at} of turn ${index} in ${talk.name} while ${fault}`,
    run: async () => {
      await before()
      await seat.device.retype(index, from, to, word)
      talk.turns = retype(talk.turns, index, at, 1, word)
      await after()
      forgetSteps(world)
    },
  }
}

/** Faults between the devices and the service, and of the service itself. */
export const faultActs: Kinds = {
  kill: (choice: Choice): Step => {
    const { service } = choice.world
    return typeDuring(
      choice,
      'the service is dead',
      () => service.kill(),
      () => service.boot(),
    )
  },

  killBefore: ({ world: { service } }: Choice): Step => ({
    say: 'sees the service die and come back',
    run: async () => {
      await service.kill()
      await service.boot()
    },
  }),

  /** The service does what it is asked, and its answer is lost. */
  lostAnswer: (choice: Choice): Step => {
    const { page } = choice.seat.device
    const url = '**/corrections'
    return typeDuring(
      choice,
      'the answer is lost',
      async () => {
        await page.route(
          url,
          async (route) => {
            if (route.request().method() === 'GET') return await route.continue()
            await route.fetch()
            await route.abort()
          },
          { times: 1 },
        )
      },
      async () => {},
    )
  },
}
