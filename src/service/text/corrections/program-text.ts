import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { ProgramText } from '../../../contract/account/settings.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { parseCaptionRules } from './caption-rules.ts'
import { textIdentity } from './text-identity.ts'

/**
 * Which text of a file a program gets. `revision` of its corrections; 0: it has none. `rules` of its captions;
 * null: Parley's
 */
export type TextVersion = {
  kind: ProgramText
  revision: number
  rules: CaptionRules | null
}

const original: TextVersion = { kind: 'original', revision: 0, rules: null }

/**
 * The text of a file for the customer's API, as the request or else the account chooses: the service's own if there is
 * none of the chosen kind. Null if neither chooses: responses then follow the interface, without additions.
 * @param wanted by the request's query; null if it has none
 * @param header the choice in the request's header
 */
export function readProgramText(
  platform: Platform,
  { program_text }: Account,
  file: FileRow,
  wanted: ProgramText | null,
  header: string | string[] | undefined,
): TextVersion | null | Promise<TextVersion> {
  if (wanted === null && program_text === 'original') return null
  const kind = wanted ?? (header === 'original' ? header : program_text)
  if (kind === 'original' || file.progress_percent < 100) return original
  const rules = parseCaptionRules(file)
  if (kind === 'corrected') return file.corrections === 0 ? { ...original, rules } : correctedNow(platform, file, rules)
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
