import type { CaptionRules } from '../../../contract/account/captions.ts'
import { areDefaultRules, nameRules } from '../../../formats/captions/caption-rules.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { getCaptionRules } from '../../signed-in/library/caption-rules.ts'
import { countCaptions } from './count-captions.ts'

/** The rules of a file's captions, and whether the service's own files follow them. */
export function pickRules(record: FileRecord): { rules: CaptionRules; isByService: boolean } {
  const rules = getCaptionRules(record)
  return { rules, isByService: areDefaultRules(rules) }
}

/** `SRT · BBC rules · 21 captions`, counted in the file itself. */
export async function describeCaptions(format: ExportFormat, rules: CaptionRules, content: Blob): Promise<string> {
  const count = await countCaptions(format, content)
  return `${format.toUpperCase()} · ${nameRules(rules)} · ${formatCount(count, 'caption')}`
}
