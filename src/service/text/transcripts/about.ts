import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Rendering } from './rendering.ts'

/** What a rendering says about a file beside its words. */
export function aboutOf(file: FileRow): Rendering['about'] {
  return {
    title: file.name,
    options: readStoredOptions(file.options_json),
    created: new Date(file.created_at).toISOString(),
    durationMs: file.duration_ms,
    progressPercent: file.progress_percent,
    ...(file.readable_ms === null ? {} : { readableMs: file.readable_ms }),
  }
}
