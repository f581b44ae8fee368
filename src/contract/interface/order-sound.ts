/**
 * What is heard of a recording (header `Order-Sound`): one of its sound tracks, counted from 1, or each track, of a single
 * one each channel, as a speaker of its own. Unless an order says so: the default track, else the first with any sound.
 */
export type OrderSound = 'each' | `${number}`

/** More tracks or channels are not speakers. */
export const mostVoices = 8

/** @returns null if it is neither `each` nor the number of a track */
export function parseOrderSound(text: string): OrderSound | null {
  return /^([1-9]\d?|each)$/.test(text) ? (text as OrderSound) : null
}
