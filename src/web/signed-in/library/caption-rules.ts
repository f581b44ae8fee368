import type { CaptionRules } from '../../../contract/account/captions.ts'
import { type MenuFormat, menuKinds, menuNotes } from '../../../contract/interface/transcript-formats.ts'
import { defaultCaptionRules, nameRules } from '../../../formats/captions/caption-rules.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'

/** The rules of a file's captions. */
export function getCaptionRules({ captionRules }: FileRecord): CaptionRules {
  return captionRules ?? defaultCaptionRules
}

/** What a format is, and whose rules its captions follow: `subtitles · BBC rules` */
export function formatNote(format: MenuFormat, record: FileRecord): string {
  const rules = menuKinds[format] === 'captions' ? ` · ${nameRules(getCaptionRules(record))}` : ''
  return `${menuNotes[format]}${rules}`
}
