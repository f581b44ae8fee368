import * as z from 'zod/mini'
import type { CorrectionSet } from './reapply.ts'

const patchWord = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  conf: z.nullable(z.number()),
  endsTurn: z.boolean(),
  speaker: z.int(),
  old: z.int(),
})

const correctionFile = z.object({
  kind: z.literal('parley corrections'),
  version: z.literal(1),
  /** of the transcript that was corrected */
  name: z.string(),
  fingerprint: z.string(),
  baseNames: z.array(z.string()),
  names: z.array(z.string()),
  patches: z.array(
    z.object({
      from: z.int(),
      to: z.int(),
      startSeconds: z.number(),
      old: z.array(z.string()),
      before: z.array(z.string()),
      after: z.array(z.string()),
      words: z.array(patchWord),
    }),
  ),
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

/** Reads a file of `writeCorrectionFile`; null where it is none. */
export function readCorrectionFile(text: string): CorrectionSet | null {
  try {
    return correctionFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}
