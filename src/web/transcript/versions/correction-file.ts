import * as z from 'zod/mini'
import { type CorrectionSet, correctionSet } from '../../../contract/account/corrections.ts'

const correctionFile = z.extend(correctionSet, {
  kind: z.literal('parley corrections'),
  version: z.literal(1),
  /** of the transcript that was corrected */
  name: z.string(),
})

/** Serializes corrections as a JSON file for import on another device or by another person. */
export function writeCorrectionFile(set: CorrectionSet, name: string): string {
  const { fingerprint, baseNames, names, patches } = set
  return JSON.stringify(
    { kind: 'parley corrections', version: 1, name, fingerprint, baseNames, names, patches },
    null,
    1,
  )
}

/** Parses a file of `writeCorrectionFile`; null if it is not one. */
export function readCorrectionFile(text: string): CorrectionSet | null {
  try {
    return correctionFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}
