import './styles.css'
// First: it asks, and what follows is run while the service answers.
import { firstAnswers, session } from './ask-early.ts'
import { drawLoadFailure } from './first-sight/load-failure.tsx'

/*
 * Where the page begins: small and without React's renderer. It draws the first rows of the list of files, which stand
 * until the page does, and has the page's own code run after that.
 */

/** So long the page's own code, which keeps the browser busy, waits for the first rows. */
const drawnMs = 300

async function drawFirst(): Promise<void> {
  if (session === null || firstAnswers === null) return
  const { drawFirstSight } = await import('./first-sight/first-sight.tsx')
  const answers = await firstAnswers
  if (answers) await drawFirstSight(session, answers)
}

async function start(): Promise<void> {
  const drawn = drawFirst().catch(() => undefined)
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, drawnMs))])
  if (session) import('./first-page.ts').catch(() => undefined)
  import('./main.tsx').catch(drawLoadFailure)
}

// Not awaited: what is imported later imports from here, and would wait for it.
void start()
