/* The options of spec 2.3 as plain values, for pages that check nothing and load no more than they show. */

const onOff = ['on', 'off'] as const
const yesNo = ['yes', 'no'] as const

/** The options of spec 2.3 that take one of a few values, with those values. */
export const optionValues = {
  transcript_type: ['automated', 'manual'],
  strict_verbatim: onOff,
  subtitle_file: onOff,
  time_coding: onOff,
  speaker_tracking: onOff,
  speaker_tracking_format: ['initials', 'full names'],
  spelling_style: ['american', 'british', 'canadian', 'australian'],
  transcript_template: [
    'service single line spaced',
    'service double line spaced',
    'blank single line spaced',
    'blank double line spaced',
  ],
  custom_formatting: yesNo,
} as const

/** The options of spec 2.3 that take text. */
export const textOptions = ['speaker_names', 'instructions', 'custom_formatting_details'] as const

export type ValueOption = keyof typeof optionValues
export type OptionName = ValueOption | (typeof textOptions)[number]

type TextOptions = { speaker_names: string[]; instructions: string; custom_formatting_details: string }

/** Options as applied to an order (spec 2.2 `options`): values in lower case, no name is the empty array, no text ''. */
export type OrderOptions = { -readonly [Name in ValueOption]: (typeof optionValues)[Name][number] } & TextOptions

/** All twelve names of spec 2.3, in its order. */
export const optionNames: readonly OptionName[] = [
  'transcript_type',
  'strict_verbatim',
  'subtitle_file',
  'time_coding',
  'speaker_tracking',
  'speaker_tracking_format',
  'spelling_style',
  'transcript_template',
  'speaker_names',
  'instructions',
  'custom_formatting',
  'custom_formatting_details',
]

/** The defaults of spec 2.3, for an account that has set none of its own. */
export const specDefaultOptions: OrderOptions = {
  transcript_type: 'manual',
  strict_verbatim: 'off',
  subtitle_file: 'off',
  time_coding: 'on',
  speaker_tracking: 'on',
  speaker_tracking_format: 'initials',
  spelling_style: 'american',
  transcript_template: 'service single line spaced',
  speaker_names: [],
  instructions: '',
  custom_formatting: 'no',
  custom_formatting_details: '',
}
