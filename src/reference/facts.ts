import {
  idempotencyRetentionMs,
  maxFileBytes,
  maxFilesPerPage,
  maxMetadataHeaderBytes,
  sandboxRetentionMs,
} from '../contract/interface/limits.ts'
import { mediaExtensions, mediaFormats } from '../contract/interface/media-formats.ts'
import { optionMeanings, optionTable } from '../contract/interface/option-table.ts'
import { isValueOption, listValues, optionNames, specDefaultOptions } from '../contract/interface/option-values.ts'
import { defaultRates } from '../contract/interface/price.ts'
import { unfinishedUploadRetentionMs } from '../contract/interface/resumable-uploads.ts'
import { servedFormats, servedMimeTypes, transcriptNotes } from '../contract/interface/transcript-formats.ts'
import { deliveryTimeoutMs } from '../service/accounts/webhooks/delivery-request.ts'
import { retryAfterMs } from '../service/accounts/webhooks/record-attempt.ts'
import type { Schema } from '../service/api/http/operation.ts'
import { accountFactor, rateLimits, uploadsAtOnce } from '../service/api/http/rate-limits.ts'
import { maxJsonLevels } from '../service/api/http/read-request.ts'
import { openApiDocument } from '../service/api/openapi/document.ts'
import { type Setting, settings } from '../service/platform/config.ts'
import { listOperations, operationText } from './operations.ts'
import { schemaTable, table } from './schema-tables.ts'

const document = openApiDocument()

function duration(ms: number): string {
  const [count, unit] = ms < 60_000 ? [ms / 1_000, 's'] : ms < 3_600_000 ? [ms / 60_000, 'min'] : [ms / 3_600_000, 'h']
  return `${count} ${unit}`
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

function optionRows(): string[][] {
  return optionNames.map((name) => {
    const entry = optionTable[name]
    const values = isValueOption(name) ? listValues(name).map((value) => `\`${value}\``) : ['text']
    const standard = isValueOption(name) ? `\`${specDefaultOptions[name]}\`` : 'none'
    const needs =
      'needs' in entry
        ? Object.entries(entry.needs).map(([on, value]) => ` Without effect unless \`${on}=${value}\`.`)
        : []
    return [`\`${name}\``, values.join(' '), standard, optionMeanings[name] + needs.join('')]
  })
}

function priceRows(): string[][] {
  return Object.entries(defaultRates).map(([name, cents]) => {
    const isType = name in optionTable.transcript_type.values
    return [isType ? `\`transcript_type=${name}\`` : `\`${name}=on\`, on top`, dollars(cents)]
  })
}

function formatRows(): string[][] {
  return servedFormats.map((format) => {
    const note =
      format in transcriptNotes ? transcriptNotes[format as keyof typeof transcriptNotes] : furtherNotes[format]
    return [`\`${format}\``, note ?? '', `\`${servedMimeTypes[format].replace('; charset=utf-8', '')}\``]
  })
}

/** Formats beside those of the customer's document. */
const furtherNotes: Readonly<Record<string, string>> = {
  docx: 'Word 2007 or later',
  md: 'Markdown',
  csv: 'a table of turns',
  vtt: 'web captions',
  ttml: 'captions as XML',
  stl: 'EBU subtitles for broadcasters',
}

function limitRows(): string[][] {
  const { read, write } = rateLimits
  const rate = ({ perSecond, burst }: typeof read | typeof write) => `${perSecond} a second, bursts of ${burst}`
  const every = `; all keys of an account together ${accountFactor} times as much`
  return [
    ['Size of a file', `${maxFileBytes.toLocaleString('en-US')} bytes (10 GB)`, '413'],
    ['Reads (GET, HEAD) with one key', rate(read) + every, '429'],
    ['Writes with one key', rate(write) + every, '429'],
    ['Uploads at the same time with one key', String(uploadsAtOnce) + every, '429'],
    ['A request body that sends nothing', '60 s', '408'],
    ['Memory of an `Idempotency-Key`', duration(idempotencyRetentionMs), ''],
    ['An unfinished resumable upload, after its last byte', duration(unfinishedUploadRetentionMs), '404'],
    [
      '`X-Service-Metadata`',
      `${maxMetadataHeaderBytes.toLocaleString('en-US')} bytes of ASCII`,
      '400 if the options are too long',
    ],
    ['Files in one page of the account’s interface', maxFilesPerPage.toLocaleString('en-US'), '400'],
    ['Levels of JSON in a body', String(maxJsonLevels), '400'],
    ['A file in the sandbox', duration(sandboxRetentionMs), '404'],
    ['A webhook’s answer', duration(deliveryTimeoutMs), 'retried'],
  ]
}

const schemas = document.components.schemas as Record<string, Schema>
const operations = listOperations(document)

/** Each fact that a page may show, as Markdown: `{{ options }}`. */
const facts: Readonly<Record<string, (of: string) => string>> = {
  options: () => table(['Option', 'Values', 'Default', ''], optionRows()),
  prices: () => table(['Order', 'A minute'], priceRows()),
  formats: () => table(['Extension', '', 'Type'], formatRows()),
  'recording-formats': () =>
    table(
      ['Format', 'Declared as'],
      mediaExtensions.map((name) => [`\`${name}\``, mediaFormats[name].mimeTypes[0]]),
    ),
  limits: () => table(['What', 'Limit', 'Beyond it'], limitRows()),
  retries: () => retryAfterMs.map(duration).join(', '),
  schema: (name) => schemaTable(schemas[name] ?? {}, false),
  settings: () =>
    table(
      ['Variable', ''],
      (Object.values(settings) as unknown as Setting[]).map(([env, , , doc]) => [
        `\`${env}\``,
        doc
          .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
          .replaceAll('; see below', '')
          .replaceAll(': see below', ''),
      ]),
    ),
  // Methods, and a pattern of paths: `get|head ^/v1/files$`.
  operations: (of) => {
    const [methods = '', pattern = ''] = of.split(' ')
    const isMethod = (method: string) => methods === '*' || methods.split('|').includes(method)
    const found = operations.filter(({ method, path }) => isMethod(method) && new RegExp(pattern).test(path))
    if (found.length === 0) throw new Error(`No operation is like ${of}.`)
    return found.map(operationText).join('\n\n')
  },
}

/** Puts the facts into a page. @throws Error if it names one that there is not */
export function withFacts(markdown: string): string {
  return markdown.replaceAll(/\{\{ (\S+?)(?: (.+?))? \}\}/g, (_all, name: string, of = '') => {
    const fact = facts[name]
    if (fact === undefined) throw new Error(`There is no fact "${name}".`)
    return fact(of)
  })
}
