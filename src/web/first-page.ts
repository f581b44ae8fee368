import './files/files-route.tsx'
import './shell/shell-route.tsx'
import { isEnvironment, sessionOf } from './session/session.ts'
import { liveOf } from './shell/live.ts'

/*
 * The page that people come to, the list of files in its frame: imported while something else is waited for. Where that
 * fails the page itself says so when it is opened. Whoever is signed in has the files read as soon as the code is here.
 */
const [, environment] = window.location.pathname.split('/')
const session = isEnvironment(environment) ? sessionOf(environment) : null
if (session) liveOf(session)
