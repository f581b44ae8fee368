import { type CaptionStyleName, captionStyleIds, captionStyleNames } from '../../contract/account/caption-styles.ts'
import type { CaptionRules, CaptionTiming } from '../../contract/account/captions.ts'

export const frameMs = 40
/** Share of a line that a name may take before the text; a longer one becomes a dash. */
export const nameShare = 1 / 3
/** A caption with fewer characters would only flash up: it is joined to its neighbor if that has room. */
export const fewCharacters = 12

/**
 * Rules by style guide. Netflix: timed text style guide (42 characters, 5/6 to 7 s, 20 characters per second, 2
 * frames). BBC: subtitle guidelines (68 % of the width, about 37 characters; 160 to 180 words per minute). DCMP:
 * captioning key (32 characters, 40 frames of 1/30 s to 6 s, 160 words per minute).
 */
export const captionStyles = {
  parley: {
    lineLength: 42,
    maxLines: 2,
    minSeconds: 1.2,
    maxSeconds: 7,
    charactersPerSecond: 20,
    gapFrames: 2,
    speakers: 'dash',
  },
  netflix: {
    lineLength: 42,
    maxLines: 2,
    minSeconds: 5 / 6,
    maxSeconds: 7,
    charactersPerSecond: 20,
    gapFrames: 2,
    speakers: 'dash',
  },
  bbc: {
    lineLength: 37,
    maxLines: 2,
    minSeconds: 1,
    maxSeconds: 7,
    charactersPerSecond: 17,
    gapFrames: 1,
    speakers: 'dash',
  },
  dcmp: {
    lineLength: 32,
    maxLines: 2,
    minSeconds: 4 / 3,
    maxSeconds: 6,
    charactersPerSecond: 16,
    gapFrames: 2,
    speakers: 'dash',
  },
} satisfies Record<CaptionStyleName, CaptionRules>

export const defaultCaptionRules: CaptionRules = captionStyles.parley

/** The style guide that has these rules, whatever their timing; `own` if none has. */
export function findStyle({ timing: _, ...rules }: CaptionRules): CaptionStyleName | 'own' {
  const keys = Object.keys(rules) as (keyof typeof rules)[]
  return captionStyleIds.find((style) => keys.every((key) => captionStyles[style][key] === rules[key])) ?? 'own'
}

/** Whether captions are as the service makes them unless somebody sets something. */
export function areDefaultRules(rules: CaptionRules): boolean {
  return findStyle(rules) === 'parley' && describeTiming(rules.timing) === null
}

/** `BBC rules`, `own rules, 2 s later` */
export function nameRules(rules: CaptionRules): string {
  const style = findStyle(rules)
  const name = style === 'own' ? 'own rules' : `${captionStyleNames[style]} rules`
  return [name, describeTiming(rules.timing) ?? []].flat().join(', ')
}

/** Other rules, if any are chosen, for captions that keep their timing. */
export function withTimingOf(own: CaptionRules, chosen: CaptionRules | null): CaptionRules {
  if (chosen === null) return own
  return { ...chosen, timing: own.timing }
}

/** `0.3 s earlier`, `stretched by 1.0427`; null if captions are at the times of the recording. */
export function describeTiming(
  { stretch, shiftSeconds }: CaptionTiming = { stretch: 1, shiftSeconds: 0 },
): string | null {
  if (stretch !== 1) return `stretched by ${Number(stretch.toFixed(4))}`
  const seconds = Number(Math.abs(shiftSeconds).toFixed(3))
  return seconds === 0 ? null : `${seconds} s ${shiftSeconds < 0 ? 'earlier' : 'later'}`
}

/** A time of the recording in seconds as the captions have it, in milliseconds. */
export function toCaptionMs(seconds: number, { timing }: Pick<CaptionRules, 'timing'>): number {
  const at = timing === undefined ? seconds : seconds * timing.stretch + timing.shiftSeconds
  return Math.round(at * 1_000)
}

/** The time of the recording, in seconds to a microsecond, that captions have as `ms`. */
export function toMediaSeconds(ms: number, { timing }: Pick<CaptionRules, 'timing'>): number {
  const seconds = Math.round(ms) / 1_000
  if (timing === undefined) return seconds
  return Math.max(0, Math.round(((seconds - timing.shiftSeconds) / timing.stretch) * 1e6) / 1e6)
}
