import { isDeepStrictEqual } from 'node:util'

/** @returns where `now` lacks or changes something that `then` has; what was added is no difference */
export function lacking(then: unknown, now: unknown, at: string): string[] {
  if (typeof then !== 'object' || then === null || typeof now !== 'object' || now === null) {
    return isDeepStrictEqual(then, now) ? [] : [`${at}: ${JSON.stringify(then)} became ${JSON.stringify(now)}`]
  }
  return Object.entries(then).flatMap(([key, value]) =>
    lacking(value, (now as Record<string, unknown>)[key], `${at}.${key}`),
  )
}
