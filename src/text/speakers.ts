import type { CorrectionSet, Patch } from '../contract/account/corrections.ts'

/** Index of a name; appends it if it is new. */
export function indexOfName(names: string[], name: string): number {
  const known = names.indexOf(name)
  return known === -1 ? names.push(name) - 1 : known
}

/**
 * Finds the speakers of corrections among those of a text, of this or of another version: by number if their names are
 * equal, then by name, then by place if both texts have as many speakers (with initials, for example, no name is the
 * same). Voices that share a name which the corrections know once are all that speaker.
 * @param own the speakers' names in the text
 * @returns the names to show: those of the text, renamed, then added ones; the patches, with speakers as indexes in them
 */
export function fitSpeakers(
  own: readonly string[],
  { baseNames, names, patches }: Pick<CorrectionSet, 'baseNames' | 'names' | 'patches'>,
): { names: string[]; patches: Patch[] } {
  const taken = new Set<number>()
  const free = (among: readonly string[], name: string) => among.findIndex((one, at) => one === name && !taken.has(at))
  const rules: ((name: string, index: number) => number)[] = [
    (name, index) => (baseNames[index] === name ? index : -1),
    (name) => free(baseNames, name),
    (name) => baseNames.indexOf(name),
    (name) => free(names, name),
    (_, index) => (own.length === baseNames.length && !taken.has(index) ? index : -1),
  ]
  const places = own.map(() => -1)
  for (const rule of rules) {
    for (const [index, name] of own.entries()) {
      if (places[index] === -1) places[index] = rule(name, index)
      taken.add(places[index] ?? -1)
    }
  }
  const shown = own.map((name, index) => {
    const place = places[index] ?? -1
    return names[place] === baseNames[place] ? name : (names[place] ?? name)
  })
  const speakers = names.map((name, speaker) => {
    const at = places.indexOf(speaker)
    return at === -1 ? shown.push(name) - 1 : at
  })
  return { names: shown, patches: patches.map((patch) => withSpeakers(patch, (speaker) => speakers[speaker] ?? -1)) }
}

/** A patch with its speakers renumbered; the same object if none changes. */
export function withSpeakers(patch: Patch, speakerOf: (speaker: number) => number): Patch {
  if (patch.words.every(({ speaker }) => speakerOf(speaker) === speaker)) return patch
  return { ...patch, words: patch.words.map((word) => ({ ...word, speaker: speakerOf(word.speaker) })) }
}

/** A name overwritten by another. `speaker`: index in the current names */
export type LostName = { speaker: number; name: string }

/**
 * Their names merged with mine: speakers that only I renamed, and those I added. `speakerOf` maps my speakers to them.
 */
export function mergeNames(base: readonly string[], mine: readonly string[], theirs: readonly string[]) {
  const names = [...theirs]
  const lostNames: LostName[] = []
  const places = new Map<number, number>()
  for (const [speaker, name] of mine.entries()) {
    if (speaker >= base.length) places.set(speaker, indexOfName(names, name))
    else if (name !== base[speaker]) {
      if (theirs[speaker] === base[speaker]) names[speaker] = name
      else if (theirs[speaker] !== name) lostNames.push({ speaker, name })
    }
  }
  return { names, lostNames, speakerOf: (speaker: number) => places.get(speaker) ?? speaker }
}
