import { accountBasePath, apiBasePath, type Environment } from '../../../contract/interface/environment.ts'
import type { TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'

/** URL of a path of the REST interface (spec 4) in an environment. */
export function apiUrl(environment: Environment, path: string): string {
  return apiBasePath(environment) + path
}

/** URL of a path of the account interface, Parley's own extension. */
export function accountUrl(environment: Environment, path: string): string {
  return accountBasePath(environment) + path
}

/** Path of one file in the REST interface; ids of other services may contain any character. */
export function filePath(id: string, format?: TranscriptFormat): string {
  return `file/${encodeURIComponent(id)}${format ? `.${format}` : ''}`
}

/** URL of one file as the account interface lists it. */
export function entryUrl(environment: Environment, id: string): string {
  return accountUrl(environment, `files/${encodeURIComponent(id)}`)
}

/** URL that returns a recording's playback address (account interface). */
export function playbackUrl(environment: Environment, id: string): string {
  return `${entryUrl(environment, id)}/playback`
}

/** URL of a recording's waveform (account interface). */
export function peaksUrl(environment: Environment, id: string): string {
  return `${entryUrl(environment, id)}/peaks`
}

/** URL of a page of the account's files (account interface). */
export function pageUrl(environment: Environment, query: Record<string, string>): string {
  return accountUrl(environment, `files?${new URLSearchParams(query)}`)
}

/** As many of the newest files as fit a tall window: shown before the whole list is loaded. */
const newestFiles = 32

/** URL of the newest files. */
export function firstPageUrl(environment: Environment): string {
  return pageUrl(environment, { limit: String(newestFiles) })
}

/** A query string, `?from=2026&kind=charge`; omits empty values. */
export function queryText(filter: Partial<Record<string, string | null>>): string {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
