import * as z from 'zod/mini'

/** Style guides that captions can be checked against. */
export const captionHouseNames = { parley: 'Parley', netflix: 'Netflix', bbc: 'the BBC', dcmp: 'the DCMP' } as const
export type CaptionHouseName = keyof typeof captionHouseNames
export const captionHouseIds = Object.keys(captionHouseNames) as CaptionHouseName[]

/** Faults listed in a report; all are counted. */
export const maxListedFaults = 1_000

const captionFault = z.object({
  /** number in the SRT file, from 1 */
  caption: z.int(),
  start_ms: z.int(),
  end_ms: z.int(),
  /** `too fast to read`: value in characters per second; `line too long`: in characters; `too short`: in seconds */
  fault: z.string(),
  value: z.nullable(z.number()),
  text: z.string(),
})

/**
 * Response of `GET files/:id/caption-report?house=`: how well the captions of an order with `subtitle_file` follow the
 * rules.
 */
export const captionReport = z.object({
  house: z.enum(captionHouseIds),
  /** the text checked: with its current corrections, or the service's own */
  text: z.enum(['corrected', 'original']),
  captions: z.int(),
  /** captions without a fault */
  keep_rules: z.int(),
  /** over all captions, and the fastest, in characters per second */
  mean_speed: z.number(),
  top_speed: z.number(),
  faults: z.array(captionFault),
})
export type CaptionReport = z.infer<typeof captionReport>
