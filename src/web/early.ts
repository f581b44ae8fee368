import './styles.css'
// First: it sends the requests, and the rest runs while the service answers.
import { firstAnswers, session, transcriptId } from './ask-early.ts'
import { showLoadFailure } from './ui/load-failure.ts'

/*
 * Where the page begins: small and without React's renderer. It draws the first rows of the list of files, which are
 * shown until the page is, and then starts the page's own code.
 */

/** How long the page's own code, which keeps the browser busy, waits for the first rows. */
const drawnMs = 300

async function drawFirst(): Promise<void> {
  if (session === null || firstAnswers === null) return
  const { drawFirstSight } = await import('./first-sight/first-sight.tsx')
  const answers = await firstAnswers
  if (answers) await drawFirstSight(session, answers)
}

/** The page shows the same without it, so a broken first sight is seen by nobody but its author. */
function reportBroken(error: unknown): void {
  if (import.meta.env.DEV) reportError(error)
}

async function start(): Promise<void> {
  if (transcriptId) import('./first-transcript.ts').catch(() => undefined)
  const drawn = drawFirst().catch(reportBroken)
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, drawnMs))])
  if (session && !transcriptId) import('./first-page.ts').catch(() => undefined)
  import('./main.tsx').catch(showLoadFailure)
}

// Not awaited: what is imported later imports from here, and would wait for it.
void start()
