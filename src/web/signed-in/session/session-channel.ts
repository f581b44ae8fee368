import type { Environment } from '../../../contract/interface/environment.ts'
import type { Session } from '../../base/api/client.ts'

/** The channel on which tabs share their sessions; only pages of this origin hear it. */
export const sessionChannel = 'parley-session'

/** `asks`: a new tab has no session; `has`: the answer; `ended`: somebody has signed out. */
export type SessionMessage = { asks: Environment } | { has: Session } | { ended: Session }

/** Open tabs answer within this time; without one, sign-in comes so much later. Milliseconds. */
export const sessionWaitMs = 250
