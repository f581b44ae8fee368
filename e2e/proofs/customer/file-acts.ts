import { type Choice, isTyped, type Kinds, newWord, pick, type Step, talkOf } from './choice.ts'

/** Ways between the pages, and what is done to whole files. */
export const fileActs: Kinds = {
  open: ({ world, seat, act }: Choice): Step => {
    const number = act.a % world.talks.length
    const talk = world.talks[number]
    if (talk === undefined || seat.at === number) return null
    const by = act.b % 2 === 0 || talk.isArchived ? 'url' : 'link'
    return {
      say: `opens ${talk.name} by its ${by}`,
      run: async () => {
        await seat.device.openTalk(talk.id, talk.name, by)
        Object.assign(seat, { at: number, past: [], future: [] })
      },
    }
  },

  files: ({ seat, act }: Choice): Step => {
    const by = act.a % 3 === 0 ? 'url' : 'link'
    return {
      say: `opens the files by ${by}`,
      run: async () => {
        await seat.device.openFiles(by)
        Object.assign(seat, { at: 'files', past: [], future: [] })
      },
    }
  },

  reload: ({ seat }: Choice): Step => ({
    say: 'reloads the page',
    run: async () => {
      await seat.device.reload()
      if (typeof seat.at === 'number') await seat.device.untilCorrectable()
      Object.assign(seat, { past: [], future: [] })
    },
  }),

  tag: ({ world, seat, act }: Choice): Step => {
    const talk = pick(world.talks, act.a)
    if (seat.at !== 'files' || talk.isArchived) return null
    const tag = newWord(world)
    return {
      say: `tags ${talk.name} with ${tag}`,
      run: async () => {
        await seat.device.files.tag([talk.name], tag)
        talk.tags = [...talk.tags, tag]
      },
    }
  },

  label: ({ world, seat, act }: Choice): Step => {
    const talk = pick(world.talks, act.a)
    if (seat.at !== 'files' || talk.isArchived) return null
    const name = `${pick(['Harbour', 'Mill & <i>', 'A/B: talk', 'שיחה'], act.b)} ${newWord(world)}`
    return {
      say: `calls ${talk.name} “${name}”`,
      run: async () => {
        await seat.device.files.label(talk.name, name, `Note ${name}`)
        Object.assign(talk, { name, note: `Note ${name}` })
      },
    }
  },

  /** On the page of the file itself. */
  labelHere: (choice: Choice): Step => {
    const { world, seat, act } = choice
    const talk = talkOf(choice)
    if (talk === null) return null
    const tag = newWord(world)
    const name = `${pick(['River', '"Quay"', 'Île'], act.a)} ${newWord(world)}`
    return {
      say: `calls ${talk.name} “${name}” on its page, and tags it with ${tag}`,
      run: async () => {
        await seat.device.panel.label(name, `Note ${name}`, tag)
        Object.assign(talk, { name, note: `Note ${name}`, tags: [...talk.tags, tag] })
      },
    }
  },

  move: ({ world, seat, act }: Choice): Step => {
    const talk = pick(world.talks, act.a)
    if (seat.at !== 'files' || talk.isArchived) return null
    const to = talk.project === null ? 'Field work' : null
    return {
      say: to === null ? `takes ${talk.name} out of its project` : `puts ${talk.name} into ${to}`,
      run: async () => {
        await seat.device.files.move([talk.name], to ?? 'No project')
        talk.project = to
      },
    }
  },

  archive: ({ world, seat, act }: Choice): Step => {
    const talk = pick(world.talks, act.a)
    if (seat.at !== 'files' || talk.isArchived || world.talks.some(({ isArchived }) => isArchived)) return null
    return {
      say: `archives ${talk.name}`,
      run: async () => {
        await seat.device.files.archive(talk.name)
        talk.isArchived = true
      },
    }
  },

  /** The program of the account changes what the devices show. */
  program: ({ world, act }: Choice): Step => {
    const talk = pick(world.talks, act.a)
    const tag = newWord(world)
    return {
      say: `and a program tags ${talk.name} with ${tag} and takes it out of the archive`,
      run: async () => {
        await world.client.read('PATCH', 'labels', { ids: [talk.id], add_tags: [tag], archived: false })
        talk.tags = [...talk.tags, tag]
        talk.isArchived = false
      },
    }
  },

  search: ({ world, seat }: Choice): Step => {
    const found = world.talks.flatMap((talk) =>
      talk.turns.flatMap(({ words }) => words.filter(({ text }) => isTyped(text)).map(({ text }) => ({ talk, text }))),
    )
    const [hit] = found.filter(({ text }) => found.filter((one) => one.text === text).length === 1)
    if (seat.at !== 'files' || hit === undefined || hit.talk.isArchived) return null
    return {
      say: `searches ${hit.text} and opens it in ${hit.talk.name}`,
      run: async () => {
        await seat.device.files.search(hit.text)
        const marked = await seat.device.files.openHit(hit.talk.name)
        await seat.device.untilCorrectable()
        if (marked !== hit.text) throw new Error(`The search marks “${marked}” instead of “${hit.text}”.`)
        Object.assign(seat, { at: world.talks.indexOf(hit.talk), past: [], future: [] })
      },
    }
  },
}
