import type { Transcript } from '../../text/transcript.ts'

const locales = { american: 'en-US', british: 'en-GB', canadian: 'en-CA', australian: 'en-AU' } as const

/** The language of a transcript: English, the only one recognized, in the ordered spelling. */
export function findLocale({ options }: Transcript): string {
  return locales[options.spelling_style]
}
