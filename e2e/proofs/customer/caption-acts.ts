import { askApi } from '../../../src/service/testing/ask-api.ts'
import { sendOneLate } from '../../kit/bad-network.ts'
import { type Choice, type Kinds, newWord, pick, rememberStep, type Step, settledTalkOf, talkOf } from './choice.ts'
import { findMark, retype, type Turns, undoableOf, wordTexts } from './memory.ts'
import { rulesToChoose } from './panel.ts'
import { cuesOf } from './subtitles.ts'

/** Rules, shifts and words of the captions, in their own view. */
export const captionActs: Kinds = {
  rules: (choice: Choice): Step => {
    const talk = talkOf(choice)
    const rules = pick(Object.keys(rulesToChoose), choice.act.a)
    if (talk === null || talk.isApproved || talk.rules === rules) return null
    return {
      say: `chooses the ${rules} for ${talk.name}`,
      run: async () => {
        await choice.seat.device.panel.chooseRules(rules)
        rememberStep(choice, talk)
        talk.rules = rules
      },
    }
  },

  /** Undo is pressed before the service has answered. */
  rulesUndone: (choice: Choice): Step => {
    const { seat, act } = choice
    const talk = talkOf(choice)
    const rules = pick(Object.keys(rulesToChoose), act.a)
    if (talk === null || talk.isApproved || talk.rules === rules) return null
    return {
      say: `chooses the ${rules} for ${talk.name} and takes them back at once`,
      run: async () => {
        const { page, panel } = seat.device
        await sendOneLate(page, '**/caption-rules')
        await panel.chooseRules(rules)
        await panel.press('Undo')
        rememberStep(choice, talk)
        const before = seat.past.pop()
        seat.future = [{ ...undoableOf(talk), rules }]
        Object.assign(talk, before)
      },
    }
  },

  rulesOfNewFiles: (choice: Choice): Step => {
    const { world, seat } = choice
    const talk = talkOf(choice)
    if (talk === null || talk.rules === world.newRules) return null
    return {
      say: `uses the ${talk.rules} of ${talk.name} for new files`,
      run: async () => {
        await seat.device.panel.useForNewFiles()
        world.newRules = talk.rules
      },
    }
  },

  shift: (choice: Choice): Step => {
    const talk = talkOf(choice)
    // The first caption of these talks begins at 0, and none can begin before.
    const seconds = choice.act.a / 8
    if (talk === null || talk.isApproved || talk.shiftSeconds === seconds) return null
    return {
      say: `shifts the captions of ${talk.name} by ${seconds} s`,
      run: async () => {
        await choice.seat.device.panel.shiftCaptions(seconds)
        rememberStep(choice, talk)
        talk.shiftSeconds = seconds
      },
    }
  },

  typeCaption: (choice: Choice): Step => {
    const { world, seat, act } = choice
    const talk = settledTalkOf(choice)
    if (talk === null) return null
    const word = newWord(world)
    return {
      say: `types “${word}” at the beginning of caption ${act.a} of ${talk.name}, from 0 and round again`,
      run: async () => {
        const srt = await (await askApi(world.service.url, world.account.key, `file/${talk.id}.srt`)).text()
        const cues = cuesOf(Buffer.from(srt))
        const index = act.a % cues.length
        const place = placeOf(talk.turns, cues, index)
        if (place === null) return
        const saved = await seat.device.panel.typeCaption(index, cues.length, word, act.b % 2 === 0)
        if (saved?.includes(word) === false) throw new Error(`“${word}”, which was being typed, is not in the SRT.`)
        rememberStep(choice, talk)
        talk.turns = retype(talk.turns, place.turn, place.word, 0, word)
      },
    }
  },
}

/** Where a caption begins in the text; null if its marks of speakers hide that. */
function placeOf(
  turns: Turns,
  cues: readonly { text: string }[],
  index: number,
): { turn: number; word: number } | null {
  const words = cues.map(({ text }) => text.split(/\s+/).filter((word) => word !== '' && word !== '-'))
  const at = words.slice(0, index).flat().length
  const isPlain = words.flat().join(' ') === wordTexts(turns).join(' ')
  const marks = turns.flatMap((turn) => turn.words.map(({ mark }) => mark))
  return isPlain ? findMark(turns, marks[at] ?? 0) : null
}
