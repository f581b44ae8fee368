/*
 * The order options of spec 2.3, one entry each, in the spec's order. Types, defaults, parsers, prices, the order form,
 * the lists' labels and the OpenAPI parameters all derive from here: docs/CONTRIBUTING.md says how to add one. The
 * first rows of the list load `optionTable`: a small amount of plain data, and no zod. What only the service uses is in
 * separate tables below, which tree shaking removes from pages.
 */

type Common = {
  /** label next to its control or its value */
  label: string
  /** it has an effect only while another option has this value */
  needs?: { readonly [option: string]: string }
}

/** An enumerated option; each value has a short label for use without the option's: `British spelling`. */
type Choice = Common & {
  values: { readonly [value: string]: string }
  default: string
  /** support has to enable it for an account */
  onRequest?: true
}

/** An on/off option; `cents` is the surcharge per minute while it is on. */
type Charged = Choice & { values: { on: string; off: string }; cents: number }

/** Free text, or names separated by commas; empty by default. */
type Free = Common & { takes: 'text' | 'names' }

/** Price per minute of each type, in whole cents. Decision 11. */
export const typeCents = { automated: 10, manual: 125 } as const

export const optionTable = {
  transcript_type: {
    label: 'Transcript',
    values: { automated: 'Automated', manual: 'Manual' } satisfies Record<keyof typeof typeCents, string>,
    default: 'manual',
  },
  strict_verbatim: {
    label: 'Strict verbatim',
    values: { on: 'Verbatim', off: 'No verbatim' },
    default: 'off',
    cents: 50,
  },
  subtitle_file: {
    label: 'Subtitle file',
    values: { on: 'Subtitles', off: 'No subtitles' },
    default: 'off',
    cents: 25,
  },
  time_coding: { label: 'Time coding', values: { on: 'Times', off: 'No times' }, default: 'on' },
  speaker_tracking: { label: 'Speaker tracking', values: { on: 'Speakers', off: 'No speakers' }, default: 'on' },
  speaker_tracking_format: {
    label: 'Speaker labels',
    values: { initials: 'Initials', 'full names': 'Full names' },
    default: 'initials',
    needs: { speaker_tracking: 'on' },
  },
  spelling_style: {
    label: 'Spelling',
    values: {
      american: 'American spelling',
      british: 'British spelling',
      canadian: 'Canadian spelling',
      australian: 'Australian spelling',
    },
    default: 'american',
  },
  transcript_template: {
    label: 'Template',
    values: {
      'service single line spaced': 'Single spaced',
      'service double line spaced': 'Double spaced',
      'blank single line spaced': 'Blank',
      'blank double line spaced': 'Blank, double spaced',
    },
    default: 'service single line spaced',
  },
  speaker_names: { label: 'Speaker names', takes: 'names' },
  instructions: { label: 'Instructions', takes: 'text' },
  custom_formatting: {
    label: 'Custom formatting',
    values: { yes: 'Custom formatting', no: 'No custom formatting' },
    default: 'no',
    onRequest: true,
  },
  custom_formatting_details: { label: 'Formatting details', takes: 'text', needs: { custom_formatting: 'yes' } },
} as const satisfies Readonly<Record<string, Choice | Charged | Free>>

type Table = typeof optionTable

/** The meaning of each option, one sentence for the API documentation. */
export const optionMeanings: Readonly<Record<keyof Table, string>> = {
  transcript_type: 'Typed by people or by a machine. With `automated`, all other options are ignored.',
  strict_verbatim: 'Every word as spoken, hesitations included. Charged.',
  subtitle_file: 'Captions checked by caption rules, with a report. Charged.',
  time_coding: 'Times beside the text.',
  speaker_tracking: 'Who speaks.',
  speaker_tracking_format: 'How a speaker is named after the first mention.',
  spelling_style: 'Which spelling the text follows.',
  transcript_template: 'The look of the document.',
  speaker_names: 'Comma separated list of names; an array of strings in metadata.',
  instructions: 'Free text special instructions.',
  custom_formatting: 'Must be enabled for the account; contact support before using it.',
  custom_formatting_details: 'Free-form custom formatting details.',
}

/**
 * What staff confirm before they submit a part, by option and value. Options not listed are confirmed by the short
 * label of their value, a text line by line. Null: nothing to confirm, because the service does it (times, layout) or
 * the desk shows it elsewhere (names).
 */
export const staffChecks: {
  readonly [Name in keyof Table]?: Table[Name] extends { values: infer Values }
    ? Readonly<Record<keyof Values, string | null>> | null
    : null
} = {
  transcript_type: null,
  strict_verbatim: { on: 'Every word, um and false start is there', off: 'No fillers and false starts' },
  subtitle_file: { on: 'Captions: times fit what is said', off: null },
  time_coding: null,
  speaker_tracking: { on: 'Every change of speaker is marked', off: 'Speakers are not marked' },
  speaker_tracking_format: null,
  transcript_template: null,
  speaker_names: null,
  custom_formatting: null,
}
