import type { ManagedText } from '../../contract/work/managers.ts'
import type { Db } from '../platform/db/open.ts'
import { ServiceError } from '../platform/service-error.ts'
import { textOfPart } from './steps.ts'

/** The text of a part as it stands now, in turns, for whoever decides about its steps. @throws ServiceError 404 */
export async function readManagedText(db: Db, partId: string): Promise<ManagedText> {
  const part = await db.selectFrom('work_parts').select('id').where('id', '=', partId).executeTakeFirst()
  if (part === undefined) throw new ServiceError(404, 'There is no such part.')
  const { words, names } = await textOfPart(db, part)
  const turns: ManagedText['turns'] = []
  let isNew = true
  for (const { word, start, speaker, turn } of words) {
    const last = turns.at(-1)
    if (isNew || last === undefined) turns.push({ start, speaker: names[speaker] ?? null, text: word })
    else last.text += ` ${word}`
    isNew = turn === true
  }
  return { turns }
}
