import { isEnvironment, sessionOf } from './session/session.ts'

/*
 * What a signed-in page needs begins to load here, before the rest of the code has run: its code and its files.
 */
const [, environment, page] = window.location.pathname.split('/')
const session = isEnvironment(environment) ? sessionOf(environment) : null
if (session) {
  void import('./shell/live.ts').then(({ liveOf }) => liveOf(session))
  void import('./shell/shell-route.tsx')
  if (page === 'files') void import('./files/files-route.tsx')
}
