import { type CaptionStyleName, captionStyleIds, captionStyleNames } from '../../contract/account/caption-styles.ts'
import type { CaptionRules } from '../../contract/account/captions.ts'

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

/** The style guide that has these rules; `own` if none has. */
export function findStyle(rules: CaptionRules): CaptionStyleName | 'own' {
  const keys = Object.keys(rules) as (keyof CaptionRules)[]
  return captionStyleIds.find((style) => keys.every((key) => captionStyles[style][key] === rules[key])) ?? 'own'
}

/** `BBC rules` or `own rules` */
export function nameRules(rules: CaptionRules): string {
  const style = findStyle(rules)
  return style === 'own' ? 'own rules' : `${captionStyleNames[style]} rules`
}
