import { loadFirstPage } from './first-page.ts'
import { isEnvironment, sessionOf } from './session/session.ts'

/*
 * What a signed-in page needs begins to load here, before the rest of the code has run: its code and its files.
 */
const [, environment] = window.location.pathname.split('/')
const session = isEnvironment(environment) ? sessionOf(environment) : null
if (session) {
  import('./shell/live.ts').then(({ liveOf }) => liveOf(session)).catch(() => undefined)
  loadFirstPage()
}
