import type { CorrectionSet, Patch, PatchWord } from '../contract/account/corrections.ts'
import type { WordRecord } from '../contract/interface/words.ts'
import { makePatch, type PatchSource } from './patches.ts'
import { speakerName, type Transcript } from './transcript.ts'
import { capitalised } from './verbatim.ts'

/** A misheard form of one to six words, and its correct spelling. */
export type HeardForm = { heard: string; written: string }

/** A range of the service's words that a form corrects; `text` is the replacement in context, `written` the form's. */
export type VocabularyPlace = { from: number; to: number; written: string; text: string }

type Voiced = { record: WordRecord; text: string; speaker: number; endsTurn: boolean }
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
  const { words, names } = voicedWords(transcript)
  const rules = rulesByFirst(forms)
  const patches: Patch[] = []
  const places: VocabularyPlace[] = []
  for (let index = 0; index < words.length; ) {
    const found = ruleAt(rules, words, index)
    const end = index + (found?.rule.words.length ?? 1)
    const patch = found === null ? null : patchOf(words, index, end, found.text)
    if (found !== null && patch !== null) {
      const { from, to } = patch
      patches.push(patch)
      places.push({ from, to, written: found.rule.written, text: patch.words.map(({ text }) => text).join(' ') })
    }
    index = end
  }
  return { names, patches, places }
}

function voicedWords(transcript: Transcript): { words: Voiced[]; names: string[] } {
  const { turns, options } = transcript
  const names: string[] = []
  const words = turns.flatMap((turn, index) => {
    const name = options.speaker_tracking === 'on' ? speakerName(transcript, turn) : null
    if (name !== null && !names.includes(name)) names.push(name)
    const speaker = name === null ? -1 : names.indexOf(name)
    const isLast = index === turns.length - 1
    return turn.words.map((record, place) => {
      return { record, text: record.word.toWellFormed(), speaker, endsTurn: !isLast && place === turn.words.length - 1 }
    })
  })
  return { words, names }
}

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

function ruleAt(rules: ReadonlyMap<string, readonly Rule[]>, words: readonly Voiced[], at: number) {
  const text = words[at]?.text ?? ''
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
function textFor(rule: Rule, words: readonly Voiced[]): string | null {
  const last = rule.words.length - 1
  let around = { lead: '', tail: '' }
  for (const [index, expected] of rule.words.entries()) {
    const word = words[index]
    if (word === undefined || (index < last && word.endsTurn)) return null
    if (compared(word.text) === expected) continue
    const { lead, core, tail } = splitPunctuation(word.text)
    const isPossessive = index === last && compared(core) === `${expected}'s`
    if (compared(core) !== expected && !isPossessive) return null
    if ((lead !== '' && index > 0) || (tail !== '' && index < last)) return null
    around = { lead: around.lead + lead, tail: (isPossessive ? core.slice(-2) : '') + tail }
  }
  const { written, heard } = rule
  const begins = /^\p{Lu}/u.test(splitPunctuation(words[0]?.text ?? '').core) && /^\p{Ll}/u.test(heard)
  const isLower = written === written.toLowerCase()
  const tail = written.endsWith('.') && around.tail.startsWith('.') ? around.tail.slice(1) : around.tail
  return around.lead + (begins && isLower ? capitalised(written) : written) + tail
}

/** The correction that replaces words by a text; null if they are equal. Unchanged words at its ends are left out. */
function patchOf(words: readonly Voiced[], first: number, end: number, text: string): Patch | null {
  const put = text.split(' ')
  let [from, to] = [first, end]
  while (from < to && put.length > 0 && words[from]?.text === put[0]) {
    put.shift()
    from++
  }
  while (from < to && put.length > 0 && words[to - 1]?.text === put.at(-1)) {
    put.pop()
    to--
  }
  // A pure insertion or deletion includes a neighboring word, so that its place has words.
  if (from === to || put.length === 0) [from, to, put.length] = [first, end, 0]
  if (put.length === 0) put.push(...text.split(' '))
  const source: PatchSource = {
    count: words.length,
    wordText: (index) => words[index]?.text ?? '',
    startOf: (index) => toMilliseconds(words[index]?.record.start ?? 0),
  }
  const patch = makePatch(source, from, to, spread(put, words.slice(from, to)))
  return patch.old.join(' ') === put.join(' ') ? null : patch
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000

/** The new words share the old ones' time span and their lowest confidence: nobody has listened. */
function spread(texts: readonly string[], old: readonly Voiced[]): PatchWord[] {
  const [first, last] = [old[0] as Voiced, old.at(-1) as Voiced]
  const from = first.record.start
  const length = Math.max(0, last.record.end - from)
  const letters = texts.join('').length
  let done = 0
  return texts.map((text, index) => {
    const start = toMilliseconds(from + (length * done) / letters)
    done += text.length
    return {
      text,
      start,
      end: toMilliseconds(from + (length * done) / letters),
      conf: Math.min(...old.map(({ record }) => Math.min(1, Math.max(0, record.conf)))),
      endsTurn: last.endsTurn && index === texts.length - 1,
      speaker: first.speaker,
      old: -1,
    }
  })
}
