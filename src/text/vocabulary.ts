import type { CorrectionSet, Patch, PatchWord } from '../contract/account/corrections.ts'
import { equalEnds } from './differences.ts'
import { makePatch, type PatchSource } from './patches.ts'
import { shareTime } from './share-time.ts'
import { indexOfName } from './speakers.ts'
import { speakerName, type Transcript, type VoicedWord, voicedWords } from './transcript.ts'
import { capitalized } from './verbatim.ts'

/** A misheard form of one to six words, and its correct spelling. */
export type HeardForm = { heard: string; written: string }

/** A range of the service's words that a form corrects; `text` is the replacement in context, `written` the form's. */
export type VocabularyPlace = { from: number; to: number; written: string; text: string }

/** A form with its words normalized for comparison. */
type Rule = HeardForm & { words: readonly string[] }

const compared = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('’', "'")

/**
 * Replaces heard forms in a transcript, ignoring case: within one turn, with no punctuation between the words.
 * Surrounding text stays, including `'s`. The longest form wins; on a tie, the first.
 * @returns the corrections, in the dashboard's form, and their places; the names are those that the text format shows
 */
export function putRight(
  transcript: Transcript,
  forms: readonly HeardForm[],
): Pick<CorrectionSet, 'names' | 'patches'> & { places: VocabularyPlace[] } {
  const { words, names } = namedWords(transcript)
  const rules = rulesByFirst(forms)
  const patches: Patch[] = []
  const places: VocabularyPlace[] = []
  for (let index = 0; index < words.length; ) {
    const found = ruleAt(rules, words, index)
    const end = index + (found?.rule.words.length ?? 1)
    const patch = found === null ? null : replaceHeard(words, index, end, found.text)
    if (found !== null && patch !== null) {
      const { from, to } = patch
      patches.push(patch)
      places.push({ from, to, written: found.rule.written, text: patch.words.map(({ text }) => text).join(' ') })
    }
    index = end
  }
  return { names, patches, places }
}

/** The words, with speakers as indexes in the names that the text format shows. */
function namedWords(transcript: Transcript): { words: VoicedWord[]; names: string[] } {
  const names: string[] = []
  const isTracked = transcript.options.speaker_tracking === 'on'
  const speakers = transcript.turns.map((turn) => {
    const name = isTracked ? speakerName(transcript, turn) : null
    return name === null ? null : indexOfName(names, name)
  })
  let turn = 0
  const words = Array.from(voicedWords(transcript), (word) => {
    const speaker = speakers[turn] ?? null
    if (word.endsTurn) turn++
    return { ...word, speaker }
  })
  return { words, names }
}

const readText = (word: VoicedWord | undefined): string => word?.record.word.toWellFormed() ?? ''

/** Rules by first word, longest first. */
function rulesByFirst(forms: readonly HeardForm[]): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, Rule[]>()
  for (const form of forms) {
    const words = compared(form.heard).split(' ')
    const first = words[0] ?? ''
    rules.set(first, [...(rules.get(first) ?? []), { ...form, words }])
  }
  for (const some of rules.values()) some.sort((a, b) => b.words.length - a.words.length)
  return rules
}

/** Splits a word from the punctuation around it. */
function splitPunctuation(text: string): { lead: string; core: string; tail: string } {
  const [, lead = '', core = '', tail = ''] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u.exec(text) ?? []
  return { lead, core, tail }
}

function ruleAt(rules: ReadonlyMap<string, readonly Rule[]>, words: readonly VoicedWord[], at: number) {
  const text = readText(words[at])
  const { core } = splitPunctuation(text)
  const firsts = new Set([compared(core), compared(core).replace(/'s$/, ''), compared(text)])
  const candidates = [...firsts].flatMap((first) => rules.get(first) ?? [])
  for (const rule of candidates.sort((a, b) => b.words.length - a.words.length)) {
    const put = textFor(rule, words.slice(at, at + rule.words.length))
    if (put !== null) return { rule, text: put }
  }
  return null
}

/** The replacement for these words; null if the rule does not match them. */
function textFor(rule: Rule, words: readonly VoicedWord[]): string | null {
  const last = rule.words.length - 1
  let around = { lead: '', tail: '' }
  for (const [index, expected] of rule.words.entries()) {
    const word = words[index]
    if (word === undefined || (index < last && word.endsTurn)) return null
    const text = readText(word)
    if (compared(text) === expected) continue
    const { lead, core, tail } = splitPunctuation(text)
    const isPossessive = index === last && compared(core) === `${expected}'s`
    if (compared(core) !== expected && !isPossessive) return null
    if ((lead !== '' && index > 0) || (tail !== '' && index < last)) return null
    around = { lead: around.lead + lead, tail: (isPossessive ? core.slice(-2) : '') + tail }
  }
  const { written, heard } = rule
  const begins = /^\p{Lu}/u.test(splitPunctuation(readText(words[0])).core) && /^\p{Ll}/u.test(heard)
  const isLower = written === written.toLowerCase()
  const tail = written.endsWith('.') && around.tail.startsWith('.') ? around.tail.slice(1) : around.tail
  return around.lead + (begins && isLower ? capitalized(written) : written) + tail
}

/** The correction that replaces words by a text; null if they are equal. Unchanged words at its ends are left out. */
function replaceHeard(words: readonly VoicedWord[], first: number, end: number, text: string): Patch | null {
  const all = text.split(' ')
  const { head, tail } = equalEnds(end - first, all.length, (old, put) => readText(words[first + old]) === all[put])
  // A pure insertion or deletion includes a neighboring word, so that its place has words.
  const isPure = head + tail >= Math.min(end - first, all.length)
  const [from, to] = isPure ? [first, end] : [first + head, end - tail]
  const put = isPure ? all : all.slice(head, all.length - tail)
  const source: PatchSource = {
    count: words.length,
    wordText: (index) => readText(words[index]),
    startOf: (index) => toMilliseconds(words[index]?.record.start ?? 0),
  }
  const patch = makePatch(source, from, to, spread(put, words.slice(from, to)))
  return patch.old.join(' ') === put.join(' ') ? null : patch
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000

/** The new words share the old ones' time span and their lowest confidence: nobody has listened. */
function spread(texts: readonly string[], old: readonly VoicedWord[]): PatchWord[] {
  const [first, last] = [old[0] as VoicedWord, old.at(-1) as VoicedWord]
  const from = first.record.start
  const conf = Math.min(...old.map(({ record }) => Math.min(1, Math.max(0, record.conf))))
  return shareTime(texts, from, Math.max(from, last.record.end)).map(({ text, start, end }, index) => {
    const endsTurn = last.endsTurn && index === texts.length - 1
    const times = { start: toMilliseconds(start), end: toMilliseconds(end) }
    return { text, ...times, conf, endsTurn, speaker: first.speaker ?? -1, old: -1 }
  })
}
