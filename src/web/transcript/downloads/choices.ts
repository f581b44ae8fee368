import * as z from 'zod/mini'
import { captionRules } from '../../../contract/account/captions.ts'
import { isJsonObject } from '../../../contract/common/merge-patch.ts'
import { type ExportFormat, exportFormats } from '../../../formats/format-table.ts'

/** The default pattern. */
const defaultPattern = '{name} {corrected}'

const kept = <Schema extends z.ZodMiniType>(schema: Schema, value: z.output<Schema>) =>
  z._default(z.catch(schema, value), value as never)

/**
 * Download choices for a file besides its format; `order` means as ordered. Stored values that cannot be parsed fall
 * back to the default.
 */
const choices = z.object({
  names: kept(z.enum(['order', 'full', 'initials', 'none']), 'order'),
  times: kept(z.enum(['order', 'turn', 'every', 'none']), 'order'),
  everySeconds: kept(z.int().check(z.minimum(1), z.maximum(3_600)), 30),
  header: kept(z.enum(['order', 'on', 'off']), 'order'),
  spacing: kept(z.enum(['order', 'single', 'double']), 'order'),
  /** doubtful words are marked */
  doubt: kept(z.boolean(), false),
  text: kept(z.enum(['corrected', 'original']), 'corrected'),
  /** for several files: each in a ZIP, or all in one document */
  files: kept(z.enum(['each', 'one']), 'each'),
  pattern: kept(z.string().check(z.maxLength(200)), defaultPattern),
  /** captions of a recording that began at a time of day: times of the recording, as players need them, or the clock's */
  captionTimes: kept(z.enum(['recording', 'clock']), 'recording'),
  /** null: the rules of each transcript */
  captions: kept(z.nullable(captionRules), null),
})

export type Choices = z.infer<typeof choices>
export type DownloadPreset = { name: string; format: ExportFormat; choices: Choices }

/** Parses stored choices of any shape. */
export function readChoices(stored: unknown): Choices {
  return choices.parse(isJsonObject(stored) ? stored : {})
}

/** The last choices for each format, and named presets, sorted by name. Only presets have caption rules of their own. */
export type KeptChoices = {
  formats: Partial<Record<ExportFormat, Choices>>
  presets: readonly DownloadPreset[]
}

/** Parses stored choices: `{ formats: { docx: choices }, presets: { name: { format, ...choices } } }`. */
export function readKeptChoices(stored: unknown): KeptChoices {
  const { formats, presets } = isJsonObject(stored) ? stored : {}
  const byFormat = exportFormats.flatMap((format) =>
    isJsonObject(formats) && isJsonObject(formats[format])
      ? [[format, { ...readChoices(formats[format]), captions: null }] as const]
      : [],
  )
  const named = Object.entries(isJsonObject(presets) ? presets : {}).flatMap(([name, preset]) => {
    const format = isJsonObject(preset) ? exportFormats.find((one) => one === preset.format) : undefined
    return format === undefined ? [] : [{ name, format, choices: readChoices(preset) }]
  })
  return {
    formats: Object.fromEntries(byFormat),
    presets: named.sort((one, two) => one.name.localeCompare(two.name)),
  }
}
