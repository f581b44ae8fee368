import * as z from 'zod/mini'
import { captionStyleIds } from './caption-styles.ts'

const size = z.number().check(z.gte(0), z.lte(100))

/** Furthest that captions may be moved. */
export const mostShiftSeconds = 86_400
/** Other frame rates differ by at most 5 %; more is a wrong time. */
export const stretchLimits = [0.9, 1.1] as const

/** Moves all captions against the recording: their times are its seconds times `stretch`, plus `shiftSeconds`. */
const captionTiming = z.strictObject({
  stretch: z.number().check(z.gte(stretchLimits[0]), z.lte(stretchLimits[1])),
  shiftSeconds: z.number().check(z.gte(-mostShiftSeconds), z.lte(mostShiftSeconds)),
})
export type CaptionTiming = z.infer<typeof captionTiming>

/**
 * Constraints on captions. Lengths in UTF-16 units, so that no reader counts more. Body of `PUT files/:id/caption-rules`:
 * the rules of all captions of a transcript, wherever they are made; of `PUT caption-rules`: those of new files.
 */
export const captionRules = z
  .strictObject({
    lineLength: z.int().check(z.gte(12), z.lte(100)),
    maxLines: z.int().check(z.gte(1), z.lte(3)),
    minSeconds: size,
    maxSeconds: size.check(z.gte(1)),
    charactersPerSecond: size.check(z.gte(5)),
    /** gap between consecutive captions that makes a change visible, in frames of 1/25 s */
    gapFrames: size,
    /** mark before the first line of a new speaker, if there are at least two speakers */
    speakers: z.enum(['dash', 'name']),
    /** for another cut or frame rate; captions that would begin before 0 begin at 0 */
    timing: z.optional(captionTiming),
  })
  .check(
    z.refine(({ minSeconds, maxSeconds }) => minSeconds <= maxSeconds, 'The shortest time is longer than the longest.'),
  )
export type CaptionRules = z.infer<typeof captionRules>

/** Faults listed in a report; all are counted. */
export const maxListedFaults = 1_000

const captionFault = z.object({
  /** number in the SRT file, from 1 */
  caption: z.int(),
  start_ms: z.int(),
  end_ms: z.int(),
  /**
   * `too fast to read`: value in characters per second; `line too long`: in characters; `too short`, `too long`: in
   * seconds; `begins after its set time`, `ends before …`, `ends after …`: that time in seconds; `ends after the recording`:
   * its length in seconds
   */
  fault: z.string(),
  /** what was measured, in the unit of the fault */
  value: z.nullable(z.number()),
  text: z.string(),
})

/**
 * Response of `GET files/:id/caption-report?style=`: how well the captions of an order with `subtitle_file` follow the
 * transcript's rules, or a style guide's.
 */
export const captionReport = z.object({
  /** `own`: other rules than any style guide's */
  style: z.enum([...captionStyleIds, 'own']),
  /** the text checked: with its current corrections, or the service's own */
  text: z.enum(['corrected', 'original']),
  /** how many captions */
  captions: z.int(),
  /** captions without a fault */
  keep_rules: z.int(),
  /** of all captions, in characters per second */
  mean_speed: z.number(),
  /** of the fastest caption, in characters per second */
  top_speed: z.number(),
  /** where captions break the rules */
  faults: z.array(captionFault),
})
export type CaptionReport = z.infer<typeof captionReport>

/** A video with captions that is not made yet: 202 of `captioned-video`. */
export const videoInProgress = z.object({
  id: z.string(),
  progress_percent: z.int(),
})

/** Response of `POST files/:id/picture`; `url` is null until it is made. */
export const smallPicture = z.object({
  progress_percent: z.int(),
  /** address of the picture, without a key; null: not made yet */
  url: z.nullable(z.string()),
})

/** Response of `GET files/:id/shots`: when shots begin, in milliseconds of the recording; null until they are found. */
export const shots = z.object({
  progress_percent: z.int(),
  /** where another shot begins, in milliseconds; null: still being found */
  shots_ms: z.nullable(z.array(z.int())),
})
export type Shots = z.infer<typeof shots>
