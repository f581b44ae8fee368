import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Rendering } from './rendering.ts'

/** A rendering's facts about a file, besides its words. */
export function aboutOf(file: FileRow): Rendering['about'] {
  return {
    title: file.name,
    options: readStoredOptions(file.options_json),
    created: iso(file.created_at),
    durationMs: file.duration_ms,
    progressPercent: file.progress_percent,
    ...(file.readable_ms === null ? {} : { readableMs: file.readable_ms }),
  }
}
