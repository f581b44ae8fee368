import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import dictionary from 'dictionary-en'
import nspell from 'nspell'
import { expect, it } from 'vitest'
import { contents } from './contents.ts'
import { readSource } from './write-reference.ts'

const spelling = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic))
const ours = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8').split('\n')

/** Words of prose: without code, addresses and markup. */
function wordsIn(markdown: string): string[] {
  const prose = markdown
    .replaceAll(/^```.*?^```$/gms, ' ')
    .replaceAll(/`[^`]*`/g, ' ')
    .replaceAll(/\]\([^)]*\)|\{#[^}]*\}|\{\{.*?\}\}|<[^>]+>/g, ' ')
  return prose.replaceAll('’', "'").match(/[A-Za-z][A-Za-z']*[A-Za-z]|[A-Za-z]/g) ?? []
}

it.each(contents.flatMap(({ slugs }) => slugs))('%s is spelled as the dictionary and the word list say', (slug) => {
  const wrong = wordsIn(readSource(slug)).filter(
    (word) =>
      !ours.includes(word.toLowerCase().replace(/'s$/, '')) &&
      !spelling.correct(word) &&
      !spelling.correct(word.replace(/'s?$/, '')),
  )
  expect([...new Set(wrong)]).toEqual([])
})
