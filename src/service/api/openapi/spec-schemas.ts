import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import { optionMeanings } from '../../../contract/interface/option-table.ts'
import { isValueOption, optionNames, specDefaultOptions, valuesOf } from '../../../contract/interface/option-values.ts'
import type { WordRecord } from '../../../contract/interface/words.ts'
import type { Parameter } from '../http/operation.ts'

/** The meanings of spec 2.2, in its words. */
export const metadataMeanings: Record<keyof FileMetadata, string> = {
  name: 'File name without extension.',
  created: 'Creation time, ISO 8601 (UTC).',
  seconds: 'Media duration in seconds, a numeric string.',
  bytes: 'File size in bytes, a numeric string.',
  cost: 'Cost of the order, a decimal string.',
  discount: 'Discount applied, a decimal string.',
  total: 'Total charged.',
  transaction_id: 'Payment transaction identifier.',
  refund_amount: 'Amount refunded, a decimal string.',
  currency: 'Currency code.',
  delivery: 'Scheduled delivery date, ISO 8601 (UTC).',
  delay_reason: 'Reason for a delay; null when none.',
  duplicates: "Ids of the account's other files with the same content; null when none.",
  options: 'The order options that were applied.',
  progress_percent: 'Completeness of the transcript, 0 to 100.',
}

/** The meanings of spec 2.4. */
export const wordMeanings: Record<keyof WordRecord, string> = {
  word: 'Predicted word; may contain punctuation.',
  start: 'Second in the media where the word starts.',
  end: 'Second where the word ends.',
  duration: 'Length of the word in seconds.',
  conf: 'Acoustic model confidence, 0 to 1; 1 is highest.',
  turn: 'Present means that a speaker turn follows this word; not on every object.',
  turn_conf: 'Confidence of the turn, 0 to 1.',
}

/** The options of spec 2.3 as query parameters. Values are case insensitive, which JSON Schema cannot say. */
export const optionParameters: readonly Omit<Parameter, 'in'>[] = optionNames.map((name) => {
  const description = optionMeanings[name]
  if (!isValueOption(name)) return { name, description, schema: { type: 'string' } }
  const schema = { type: 'string', enum: valuesOf(name), default: specDefaultOptions[name] }
  return { name, description: `${description} Case insensitive.`, schema }
})
