import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { parseCaptionRules } from './caption-rules.ts'
import { textIdentity } from './text-identity.ts'

/**
 * Which text of a file an API client gets. `revision` of its corrections; 0: it has none. `rules` of its captions;
 * null: Parley's
 */
export type TextVersion = {
  kind: 'original' | 'approved' | 'corrected'
  revision: number
  rules: CaptionRules | null
}

const original: TextVersion = { kind: 'original', revision: 0, rules: null }

/**
 * The text of a file for the customer's API, as chosen by the account: the service's own if there is none of the chosen
 * kind. Null if the account has chosen nothing: responses then follow the interface, without additions.
 * @param asked the choice in the request's header
 */
export function readProgramText(
  platform: Platform,
  { program_text }: Account,
  file: FileRow,
  asked: string | string[] | undefined,
): TextVersion | null | Promise<TextVersion> {
  if (program_text === 'original') return null
  if (asked === 'original' || file.progress_percent < 100) return original
  const rules = parseCaptionRules(file)
  if (program_text === 'corrected')
    return file.corrections === 0 ? { ...original, rules } : correctedNow(platform, file, rules)
  return file.approved_revision === null ? original : { kind: 'approved', revision: file.approved_revision, rules }
}

async function correctedNow(platform: Platform, file: FileRow, rules: CaptionRules | null): Promise<TextVersion> {
  const { fingerprint } = await textIdentity(platform, file)
  const head = await platform.db
    .selectFrom('corrections')
    .select(['revision', 'fingerprint'])
    .where('file_id', '=', file.id)
    .executeTakeFirst()
  // Corrections of an earlier text wait for somebody to look at them.
  return head?.fingerprint === fingerprint
    ? { kind: 'corrected', revision: head.revision, rules }
    : { ...original, rules }
}
