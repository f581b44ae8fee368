import { accountBasePath, apiBasePath, type Environment } from '../../contract/environment.ts'
import type { TranscriptFormat } from '../../contract/transcript-formats.ts'

/** Address of a path of the REST interface (spec 4) in an environment. */
export function apiUrl(environment: Environment, path: string): string {
  return apiBasePath(environment) + path
}

/** Address of a path of the account interface, Parley's own extension. */
export function accountUrl(environment: Environment, path: string): string {
  return accountBasePath(environment) + path
}

/** Path of one file below the REST interface; ids of other services may hold any character. */
export function filePath(id: string, format?: TranscriptFormat): string {
  return `file/${encodeURIComponent(id)}${format ? `.${format}` : ''}`
}
