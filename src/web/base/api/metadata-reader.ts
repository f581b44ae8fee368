import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { FileEntry, HeardSound } from '../../../contract/account/file-pages.ts'
import type { Labels } from '../../../contract/account/labels.ts'
import type { ReviewState } from '../../../contract/account/review.ts'
import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import {
  isOptionValue,
  isValueOption,
  type OptionName,
  type OrderOptions,
  optionNames,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'

/** Metadata that cannot be shown at all; the message is for users. */
export class MetadataError extends Error {
  override readonly name = 'MetadataError'
}

/**
 * Reads a file's metadata (spec 2.2) leniently: drops unknown fields, accepts numbers as text and text as numbers, and
 * treats missing or mistyped fields as unknown: '' or NaN.
 */
export function looseMetadata(value: unknown): FileMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MetadataError('The service sent metadata in an unknown format.')
  }
  const given = value as Record<string, unknown>
  return {
    name: text(given.name),
    created: text(given.created),
    seconds: text(given.seconds),
    bytes: text(given.bytes),
    cost: text(given.cost),
    discount: text(given.discount),
    total: amount(given.total),
    transaction_id: text(given.transaction_id),
    refund_amount: text(given.refund_amount),
    currency: text(given.currency),
    delivery: text(given.delivery),
    delay_reason: anyText(given.delay_reason),
    duplicates: texts(given.duplicates),
    options: looseOptions(given.options),
    progress_percent: Math.min(100, Math.max(0, amount(given.progress_percent))),
  }
}

/**
 * The metadata in an `X-Service-Metadata` header (spec 2.2, 4.3).
 * @throws MetadataError if the header is missing, not JSON, or not an object
 */
export function readMetadataHeader(header: string | null): FileMetadata {
  if (header === null) throw new MetadataError('The service sent no metadata for this file.')
  let value: unknown
  try {
    value = JSON.parse(asUtf8(header))
  } catch (error) {
    throw new MetadataError('The service sent metadata that cannot be read.', { cause: error })
  }
  return looseMetadata(value)
}

/** Browsers decode headers as Latin-1; re-decodes unescaped UTF-8 if the bytes are valid UTF-8. */
function asUtf8(header: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the question is about all of ASCII
  if (/^[\x00-\x7f]*$/.test(header) || /[^\x00-\xff]/.test(header)) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(header, (unit) => unit.charCodeAt(0)))
  } catch {
    return header
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function amount(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** The spec does not define a non-null delay reason: text as it is, anything else as JSON. */
function anyText(value: unknown): string | null {
  if (value === null || value === undefined || value === false || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function texts(value: unknown): string[] | null {
  if (value === null || value === undefined) return null
  return (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
}

/** Options by the JSON they were read from: most files of an account have the same and share one object, never mutated. */
const sharedOptions = new Map<string, OrderOptions>()
const maxShared = 1_000

function looseOption(name: OptionName, value: unknown): string | string[] {
  if (isValueOption(name)) {
    const lower = text(value).toLowerCase()
    return isOptionValue(name, lower) ? lower : specDefaultOptions[name]
  }
  if (typeof specDefaultOptions[name] === 'string') return text(value)
  return typeof value === 'string' ? value.split(',').filter(Boolean) : (texts(value) ?? [])
}

function looseOptions(value: unknown): OrderOptions {
  const json = JSON.stringify(value) ?? ''
  const known = sharedOptions.get(json)
  if (known !== undefined) return known
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const read = Object.fromEntries(optionNames.map((name) => [name, looseOption(name, given[name])]))
  const options = read as unknown as OrderOptions
  if (sharedOptions.size < maxShared) sharedOptions.set(json, options)
  return options
}

/** One file as the dashboard holds it: its metadata, and values computed from it once. Times and sizes may be NaN. */
export type FileRecord = {
  id: string
  metadata: FileMetadata
  /** null if the service does not report it */
  mediaKind: 'audio' | 'video' | null
  createdAt: number
  dueAt: number
  /** when the transcript became ready; NaN until then or if the service does not report it */
  readyAt: number
  /** sandbox: when the file and all its data are removed */
  expiresAt: number | null
  seconds: number
  totalCents: number
  /** 0 to 100 */
  percent: number
  deleteWhenReady: boolean
  /** number of corrections of its transcript stored by the service */
  corrections: number
  review: ReviewState
  /** the rules of its captions; null: Parley's */
  captionRules: CaptionRules | null
  /** which track or channel is heard; null: all sound, or not known */
  heard: HeardSound | null
  /** how far a damaged recording was readable; null: completely, or not known */
  readableSeconds: number | null
  /** user-defined names, notes and tags; null if it has none or the service does not report them */
  labels: Labels | null
  /** the id of its project; null if it has none or the service does not report it */
  project: string | null
  /** what was ordered together has the same; null if it was ordered alone or the service does not report it */
  batch: string | null
  /** the next deletion by a retention rule; null if none */
  leaves: NonNullable<FileEntry['leaves']> | null
  /** a retention rule deleted the recording; the text remains */
  recordingDeleted: string | null
  /** the service gave its order up; false also if it does not report that */
  givenUp: boolean
  version: number
}

/** True if what was paid for an order that never becomes ready went back. */
export const isRefunded = ({ percent, metadata }: FileRecord) => percent < 100 && Number(metadata.refund_amount) > 0

/** True if a recording was given up: it never becomes ready, what was paid was refunded, and it can be deleted. */
export function isGivenUp(record: FileRecord): boolean {
  return record.givenUp || isRefunded(record)
}

/** That an order was given up; refunded only if something had been paid, and still is. */
export function givenUpText(record: FileRecord): string {
  return isRefunded(record) ? 'Given up, refunded' : 'Given up'
}

/** What the bank took back of an order's payment, in cents: what was charged is cost less discount (decisions 33 and 146). */
export function takenBackCents({ totalCents, metadata: { cost, discount } }: FileRecord): number {
  // Counted here: the worker that reads records does without prices.
  const cents = Math.round((Number(cost) - Number(discount)) * 100) - totalCents
  return cents > 0 && cost !== '' ? cents : 0
}

/** The input of a record: an entry of a page, or just the metadata of a HEAD response. */
export type RecordSource = Pick<FileEntry, 'id' | 'metadata'> & Partial<Omit<FileEntry, 'id' | 'metadata'>>

/** Builds the record of a file. `retentionMs`: lifetime of files that are removed automatically. */
export function toFileRecord(source: RecordSource, retentionMs: number | null): FileRecord {
  const { labels = null } = source
  const metadata = labels?.name ? { ...source.metadata, name: labels.name } : source.metadata
  const createdAt = Date.parse(metadata.created)
  const stated = source.expires ? Date.parse(source.expires) : Number.NaN
  const expiresAt = Number.isFinite(stated) ? stated : retentionMs === null ? null : createdAt + retentionMs
  return {
    id: source.id,
    metadata,
    mediaKind: source.media_kind ?? null,
    createdAt,
    dueAt: Date.parse(metadata.delivery),
    readyAt: source.ready ? Date.parse(source.ready) : Number.NaN,
    expiresAt,
    seconds: metadata.seconds === '' ? Number.NaN : Number(metadata.seconds),
    totalCents: Math.round(metadata.total * 100),
    percent: metadata.progress_percent,
    deleteWhenReady: source.delete_when_ready ?? false,
    corrections: source.corrections ?? 0,
    review: source.review ?? 'draft',
    captionRules: source.caption_rules ?? null,
    heard: source.heard ?? null,
    readableSeconds: source.readable_seconds ?? null,
    labels,
    project: source.project ?? null,
    batch: source.batch ?? null,
    leaves: source.leaves ?? null,
    recordingDeleted: source.recording_deleted ?? null,
    givenUp: source.given_up ?? false,
    version: source.version ?? 0,
  }
}

/** The serializable form of a record, from which {@link toFileRecord} rebuilds it. */
export function toRecordSource(record: FileRecord): RecordSource {
  return {
    id: record.id,
    metadata: record.metadata,
    ...(record.mediaKind ? { media_kind: record.mediaKind } : {}),
    ready: Number.isFinite(record.readyAt) ? new Date(record.readyAt).toISOString() : null,
    expires:
      record.expiresAt !== null && Number.isFinite(record.expiresAt) ? new Date(record.expiresAt).toISOString() : null,
    delete_when_ready: record.deleteWhenReady,
    corrections: record.corrections,
    review: record.review,
    ...(record.captionRules && { caption_rules: record.captionRules }),
    ...(record.heard && { heard: record.heard }),
    ...(record.readableSeconds !== null && { readable_seconds: record.readableSeconds }),
    ...(record.labels && { labels: record.labels }),
    ...(record.project && { project: record.project }),
    ...(record.batch && { batch: record.batch }),
    ...(record.leaves && { leaves: record.leaves }),
    ...(record.recordingDeleted && { recording_deleted: record.recordingDeleted }),
    ...(record.givenUp && { given_up: true }),
    version: record.version,
  }
}

/** The same file with new metadata; fields that only pages report are kept. */
export function withMetadata(record: FileRecord, metadata: FileMetadata): FileRecord {
  return { ...toFileRecord({ ...toRecordSource(record), metadata }, null), expiresAt: record.expiresAt }
}
