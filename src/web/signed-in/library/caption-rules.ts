import { useQuery } from '@tanstack/react-query'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import {
  type TranscriptFormat,
  transcriptKinds,
  transcriptNotes,
} from '../../../contract/interface/transcript-formats.ts'
import { defaultCaptionRules, nameRules } from '../../../formats/captions/caption-rules.ts'
import { account } from '../../base/api/account.ts'
import { putCaptionRules } from '../../base/api/captions.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { getLive } from './live.ts'

/** The rules of a file's captions. */
export function getCaptionRules({ captionRules }: FileRecord): CaptionRules {
  return captionRules ?? defaultCaptionRules
}

/** What a format is, and whose rules its captions follow: `subtitles · BBC rules` */
export function formatNote(format: TranscriptFormat, record: FileRecord): string {
  const rules = transcriptKinds[format] === 'captions' ? ` · ${nameRules(getCaptionRules(record))}` : ''
  return `${transcriptNotes[format]}${rules}`
}

/** Sets the rules of a file's captions. @returns false if the service refuses, which a message has said */
export type SetCaptionRules = (rules: CaptionRules) => Promise<boolean>

/**
 * Returns a function that sets the rules of a file's captions, shown at once. If the service stores none, they stay on
 * this device; if it refuses, a message says so.
 */
export function useSetCaptionRules(session: Session, { id, captionRules: before }: FileRecord): SetCaptionRules {
  const isStored = useQuery(account.overview(session)).data?.features.captions === true
  return async (rules) => {
    const { library } = getLive(session)
    const show = (captionRules: CaptionRules | null) => library.amend(id, { captionRules })
    show(rules)
    if (!isStored) return true
    try {
      await putCaptionRules(session, id, rules)
      return true
    } catch (error) {
      show(before)
      showToast({ tone: 'bad', title: 'The caption rules were not changed', detail: (error as Error).message })
      return false
    }
  }
}
