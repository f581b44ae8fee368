import './customers.css'
import { retryLoading } from '../base/ui/load-failure.ts'
// First: it sends the requests, and the code loads while the service responds.
import { session, transcriptId } from './ask-early.ts'

/* The page's entry point: small, so that requests leave early. It starts loading the URL's page immediately. */

const loadMain = () => import('./main.tsx')
loadMain().catch(() => retryLoading(loadMain))
// If one of these fails, the page itself reports it when it is opened.
if (transcriptId) import('./first-transcript.ts').catch(() => undefined)
else if (session) import('./first-page.ts').catch(() => undefined)
if (session) import('./signed-in-routes.tsx').catch(() => undefined)
