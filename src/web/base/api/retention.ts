import type { Environment } from '../../../contract/interface/environment.ts'
import { sandboxRetentionMs } from '../../../contract/interface/limits.ts'

/** How long files live in an environment, in milliseconds; null: until they are deleted (spec 1, rule 4). */
export function retentionMs(environment: Environment): number | null {
  return environment === 'sandbox' ? sandboxRetentionMs : null
}
