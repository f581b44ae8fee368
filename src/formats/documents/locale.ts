import type { Transcript } from '../../text/transcript.ts'

const locales = { american: 'en-US', british: 'en-GB', canadian: 'en-CA', australian: 'en-AU' } as const

/** The language of a transcript: English, which is what is recognised, in the spelling that was ordered. */
export function localeOf({ options }: Transcript): string {
  return locales[options.spelling_style]
}
