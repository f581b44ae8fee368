import * as z from 'zod/mini'

/** Houses whose caption rules captions can be checked by. */
export const captionHouseNames = { parley: 'Parley', netflix: 'Netflix', bbc: 'the BBC', dcmp: 'the DCMP' } as const
export type CaptionHouseName = keyof typeof captionHouseNames
export const captionHouseIds = Object.keys(captionHouseNames) as CaptionHouseName[]

/** Faults in a report; all are counted. */
export const maxListedFaults = 1_000

const captionFault = z.object({
  /** its number in the SRT file, from 1 */
  caption: z.int(),
  start_ms: z.int(),
  end_ms: z.int(),
  /** `too fast to read`: value in characters a second; `line too long`: in characters; `too short`: in seconds */
  fault: z.string(),
  value: z.nullable(z.number()),
  text: z.string(),
})

/** Answer of `GET files/:id/caption-report?house=`: how the captions of an order with `subtitle_file` keep the rules. */
export const captionReport = z.object({
  house: z.enum(captionHouseIds),
  /** which text: with the corrections that it has now, or the service's own */
  text: z.enum(['corrected', 'original']),
  captions: z.int(),
  /** captions without a fault */
  keep_rules: z.int(),
  /** of all captions, and the fastest. Characters a second */
  mean_speed: z.number(),
  top_speed: z.number(),
  faults: z.array(captionFault),
})
export type CaptionReport = z.infer<typeof captionReport>
