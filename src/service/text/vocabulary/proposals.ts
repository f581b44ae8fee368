import type { Patch } from '../../../contract/account/corrections.ts'
import type { VocabularyProposal } from '../../../contract/account/vocabulary.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Platform } from '../../platform/platform.ts'
import { listEntries } from './entries.ts'

/** Occurrences from which a replacement is proposed. */
const leastPlaces = 3
const mostWords = 3
const mostProposals = 50

/** So frequent that a correction says nothing about the next time; forms of only such words are not proposed. */
const frequent = new Set(
  `a about all an and any are as at be because been but by can could did do does for from get go had has have he her here
  him his how i if in into is it its it's just like me more my no not now of off on one or our out over she so some than
  that the their them then there there's these they they're this those to too two up us was we well were what when where
  which who who's whose will with would yes you your you're`.split(/\s+/),
)

/** The replacement that a correction makes, for counting; null if it does not replace a few words. */
export function findReplacement({ old, words, before }: Patch): { heard: string; written: string } | null {
  const texts = words.map(({ text }) => text)
  if (old.length === 0 || texts.length === 0 || old.length > mostWords || texts.length > mostWords) return null
  const heard = withoutMarks(old)?.toLowerCase()
  const written = withoutMarks(texts)
  if (heard === undefined || written === null || heard === written) return null
  if (heard.split(' ').every((word) => frequent.has(word))) return null
  // A capital alone may be that of the beginning of a sentence.
  const previous = before.at(-1)
  if (heard === written.toLowerCase() && (previous === undefined || /[.?!…]\P{L}*$/u.test(previous))) return null
  return { heard, written }
}

/** Words without surrounding punctuation; null if there is some in between, or nothing else. */
function withoutMarks(words: readonly string[]): string | null {
  const text = words.join(' ').replaceAll(/^[^\p{L}\p{N}]+|(?:['’]s)?[^\p{L}\p{N}]*$/gu, '')
  return text === '' || text.length > 80 || /[^\p{L}\p{N}'’ -]/u.test(text) ? null : text
}

/**
 * Replacements made in three places or more that are neither in the vocabulary nor dismissed, most frequent first.
 * @param fileId restricts it to corrections of this file; null: any
 */
export async function proposalsFor(db: Db, accountId: string, fileId: string | null): Promise<VocabularyProposal[]> {
  let query = db
    .selectFrom('correction_patches')
    .innerJoin('corrections', 'corrections.file_id', 'correction_patches.file_id')
    .select((eb) => ['heard', 'written', eb.fn.countAll<number>().as('places')])
    .where('account_id', '=', accountId)
    .where('heard', 'is not', null)
  if (fileId !== null) {
    query = query.where('heard', 'in', (eb) =>
      eb
        .selectFrom('correction_patches as here')
        .select('here.heard')
        .where('here.file_id', '=', fileId)
        .where('here.heard', 'is not', null),
    )
  }
  const made = await query
    .groupBy(['heard', 'written'])
    .having((eb) => eb.fn.countAll(), '>=', leastPlaces)
    .orderBy('places', 'desc')
    .execute()
  if (made.length === 0) return []
  const known = await knownForms(db, accountId)
  return made
    .flatMap(({ heard, written, places }) => (heard === null || written === null ? [] : [{ heard, written, places }]))
    .filter(({ heard, written }) => !known.forms.has(heard) && !known.dismissed.has(`${heard}\n${written}`))
    .slice(0, mostProposals)
}

async function knownForms(db: Db, accountId: string) {
  const [entries, dismissed] = await Promise.all([
    listEntries(db, accountId),
    db.selectFrom('dismissed_proposals').select(['heard', 'written']).where('account_id', '=', accountId).execute(),
  ])
  return {
    forms: new Set(entries.flatMap(({ heard }) => heard.map((form) => form.toLowerCase()))),
    dismissed: new Set(dismissed.map(({ heard, written }) => `${heard}\n${written}`)),
  }
}

/** Excludes a replacement from future proposals. */
export async function dismissProposal(
  platform: Platform,
  accountId: string,
  proposal: { heard: string; written: string },
): Promise<void> {
  await notifyAccount(platform, accountId, async (trx) => {
    await trx
      .insertInto('dismissed_proposals')
      .values({ account_id: accountId, ...proposal })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}
