import * as z from 'zod/mini'
import { isJsonObject } from '../../../contract/common/merge-patch.ts'
import { type CaptionRules, defaultCaptionRules } from '../../../formats/captions/caption-rules.ts'
import { type ExportFormat, exportFormats } from '../../../formats/format-table.ts'

/** The default pattern. */
const defaultPattern = '{name} {corrected}'

const kept = <Schema extends z.ZodMiniType>(schema: Schema, value: z.output<Schema>) =>
  z._default(z.catch(schema, value), value as never)

const sizes = z.number().check(z.minimum(0), z.maximum(100))
const captionRules = z.object({
  lineLength: sizes.check(z.minimum(12)),
  maxLines: sizes.check(z.minimum(1), z.maximum(3)),
  minSeconds: sizes,
  maxSeconds: sizes,
  charactersPerSecond: sizes.check(z.minimum(5)),
  gapFrames: sizes,
  speakers: z.enum(['dash', 'name']),
})

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
  captions: kept(captionRules, defaultCaptionRules),
})

export type Choices = Omit<z.infer<typeof choices>, 'captions'> & { captions: CaptionRules }
export type DownloadPreset = { name: string; format: ExportFormat; choices: Choices }

/** Parses stored choices of any shape. */
export function readChoices(stored: unknown): Choices {
  return choices.parse(isJsonObject(stored) ? stored : {})
}

/**
 * The last choices for each format, and named presets, sorted by name. Caption rules are shared by all formats and the
 * caption check.
 */
export type KeptChoices = {
  formats: Partial<Record<ExportFormat, Choices>>
  presets: readonly DownloadPreset[]
  captions: CaptionRules
}

/**
 * Parses stored choices: `{ formats: { docx: choices }, presets: { name: { format, ...choices } }, captions: rules }`.
 */
export function readKeptChoices(stored: unknown): KeptChoices {
  const { formats, presets, captions } = isJsonObject(stored) ? stored : {}
  const byFormat = exportFormats.flatMap((format) =>
    isJsonObject(formats) && isJsonObject(formats[format]) ? [[format, readChoices(formats[format])] as const] : [],
  )
  const named = Object.entries(isJsonObject(presets) ? presets : {}).flatMap(([name, preset]) => {
    const format = isJsonObject(preset) ? exportFormats.find((one) => one === preset.format) : undefined
    return format === undefined ? [] : [{ name, format, choices: readChoices(preset) }]
  })
  return {
    formats: Object.fromEntries(byFormat),
    captions: readChoices({ captions }).captions,
    presets: named.sort((one, two) => one.name.localeCompare(two.name)),
  }
}
