import * as z from 'zod/mini'
import { type CorrectionSet, correctionSet } from '../../../contract/account/corrections.ts'

const correctionFile = z.extend(correctionSet, {
  kind: z.literal('parley corrections'),
  version: z.literal(1),
  /** of the transcript that was corrected */
  name: z.string(),
})

/** The JSON file from which another device or person can import these corrections. */
export function writeCorrectionFile(set: CorrectionSet, name: string): string {
  const { fingerprint, baseNames, names, patches } = set
  return JSON.stringify(
    { kind: 'parley corrections', version: 1, name, fingerprint, baseNames, names, patches },
    null,
    1,
  )
}

/** Reads a file of `writeCorrectionFile`; null if it is none. */
export function readCorrectionFile(text: string): CorrectionSet | null {
  try {
    return correctionFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}
