import './customers.css'
import { showLoadFailure } from '../base/ui/load-failure.ts'
// First: it sends the requests, and the code is fetched while the service answers.
import { session, transcriptId } from './ask-early.ts'

/* Where the page begins: small, so that requests leave early. It fetches the page that the address names at once. */

import('./main.tsx').catch(showLoadFailure)
// Where one of these fails the page says so itself when it is opened.
if (transcriptId) import('./first-transcript.ts').catch(() => undefined)
else if (session) import('./first-page.ts').catch(() => undefined)
if (session) import('./signed-in-routes.tsx').catch(() => undefined)
