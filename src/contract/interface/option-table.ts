/*
 * The order options of spec 2.3, one entry each, in the spec's order. Types, defaults, readers, prices, the order form,
 * the words of the lists and the OpenAPI parameters all derive from here: docs/CONTRIBUTING.md says how to add one.
 * The first rows of the list load this file: plain data in few bytes, and no zod.
 */

type Common = {
  /** what people call the option, beside its control or its value */
  label: string
  /** it has an effect only while another option has this value */
  needs?: { readonly [option: string]: string }
}

/** Has one of a few values, each with short words for where it is shown without its label: `British spelling`. */
type Choice = Common & {
  values: { readonly [value: string]: string }
  default: string
  /** support has to enable it for an account */
  onRequest?: true
}

/** Is on or off; `cents` is what a minute costs more while it is on. */
type Charged = Choice & { values: { on: string; off: string }; cents: number }

/** Free text, or names separated by commas; empty by default. */
type Free = Common & { takes: 'text' | 'names' }

/** What a minute of each type costs, in whole cents. Decision 11. */
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
