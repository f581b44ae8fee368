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
  /** the transcript they were made over */
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

/** Corrections as a JSON file that another device or person can import. */
export function writeCorrectionFile(set: CorrectionSet, name: string): string {
  const { fingerprint, baseNames, names, patches } = set
  return JSON.stringify(
    { kind: 'parley corrections', version: 1, name, fingerprint, baseNames, names, patches },
    null,
    1,
  )
}

/** Reads such a file; null where it is none. */
export function readCorrectionFile(text: string): CorrectionSet | null {
  try {
    return correctionFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}
