import type { CaptionRules } from '../../../contract/account/captions.ts'
import { type MenuFormat, menuKinds } from '../../../contract/interface/transcript-formats.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { fetchCorrected } from '../../base/api/files.ts'
import { type About, type Maker, makeFile } from './make-file.ts'

type Wanted = {
  about: About
  format: MenuFormat
  /** the transcript's rules, which the service's file follows, too */
  captions?: CaptionRules | undefined
  signal?: AbortSignal
  maker?: Maker
}

/** True if a file of this format has what the service does not write: times of day, or the label as its heading. */
export function needsLabels(
  { beginsAtSeconds, isRenamed }: Pick<About, 'beginsAtSeconds' | 'isRenamed'>,
  format: MenuFormat,
): boolean {
  return (beginsAtSeconds !== undefined || isRenamed === true) && ['document', 'text'].includes(menuKinds[format])
}

/**
 * A corrected transcript as a file: the service's, or one made here if this device has unsent corrections or the file
 * needs its labels. `left`: corrections that do not fit a newer transcript. Null if nothing is corrected.
 * @throws ApiError
 */
export async function correctedText(
  session: Session,
  id: string,
  { about, format, captions, signal, maker }: Wanted,
): Promise<{ content: Blob; left: number } | null> {
  const kind = needsLabels(about, format) ? 'corrected' : 'unsent'
  const source = { kind, session, id, ordered: about.options } as const
  const made = await makeFile({ ...source, about, format, ...(captions && { captions }) }, maker)
  if (made !== null) return made.isCorrected ? made : null
  try {
    return { content: await (await fetchCorrected(session, id, format, signal)).blob(), left: 0 }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
