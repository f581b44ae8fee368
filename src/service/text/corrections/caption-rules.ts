import type { CaptionRules } from '../../../contract/account/captions.ts'
import { areDefaultRules } from '../../../formats/captions/caption-rules.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { patchFile, writeFile } from '../../orders/file/change-file.ts'
import { fileNotFound } from '../../orders/file/own-file.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { requireReady, requireUnlocked } from './review.ts'

/** The rules of all captions of a file; null: Parley's. */
export function parseCaptionRules({ caption_rules_json }: FileRow): CaptionRules | null {
  return caption_rules_json === null ? null : JSON.parse(caption_rules_json)
}

/**
 * Sets the rules of a file's captions; an event notifies the account's other dashboards.
 * @throws ServiceError 404, 409 if the transcript is not ready or is approved
 */
export async function setCaptionRules(
  platform: Platform,
  { account }: Caller,
  file: FileRow,
  rules: CaptionRules,
): Promise<void> {
  requireReady(file)
  const caption_rules_json = areDefaultRules(rules) ? null : JSON.stringify(rules)
  const done = await writeFile(platform.db, file.id, async (trx, now) => {
    if (now.account_id !== account.id) throw fileNotFound()
    if (now.caption_rules_json === caption_rules_json) return true
    await requireUnlocked(trx, now)
    await patchFile(trx, now, { caption_rules_json }, platform.clock())
    await appendLog(trx, { action: 'corrected', file, detail: 'caption rules' }, platform.clock())
    return true
  })
  if (done === null) throw fileNotFound()
  platform.changes.notify({ kind: 'file', accountId: account.id, fileId: file.id })
}
