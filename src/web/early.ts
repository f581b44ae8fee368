import './styles.css'
import { environments } from '../contract/environment.ts'
import { accountUrl, apiUrl, filePath } from './api/addresses.ts'
import { askEarly, firstScreen, jsonOf } from './api/early-answers.ts'
import { LibraryMarks } from './api/library-marks.ts'
import { drawFirstSight } from './files/first-sight.tsx'
import { type Session, storedSession } from './session/stored-session.ts'

/*
 * A script of its own, small and without React, that runs while the page's code is still being loaded and compiled: it
 * asks the service for what the list of files shows first, and for the code of the page itself. Where nothing is kept of
 * the list it also draws its first rows, which stand until the page does.
 */

/** So long the page's own code, which keeps the browser busy, waits for the first rows. */
const drawnMs = 150

/** Asks what `FileLibrary` will ask: what the service offers and, unless that was pages last time, ids and metadata. */
async function askForFiles(session: Session): Promise<void> {
  const { environment, key } = session
  const marks = new LibraryMarks(session)
  const overview = askEarly('GET', accountUrl(environment, ''), key)
  if (marks.pages) return
  const list = await askEarly('GET', apiUrl(environment, 'files'), key)
  // With pages none of it is asked for by HEAD; what was kept here says what need not be asked for at all.
  if (!list.ok || marks.kept || (await overview).ok) return
  const ids = ((await jsonOf(list)) as { id: string }[]).map(({ id }) => id)
  const heads = ids.slice(0, firstScreen).map((id) => askEarly('HEAD', apiUrl(environment, filePath(id)), key))
  drawFirstSight(session, ids, await Promise.all(heads))
}

const environment = environments.find((one) => window.location.pathname.startsWith(`/${one}/`))
const session = environment === undefined ? null : storedSession(environment)
if (session && window.location.pathname === `/${environment}/files`) {
  const soon = new Promise((resolve) => setTimeout(resolve, drawnMs))
  // Whatever fails here is asked for again by the page, which tells what is wrong.
  await Promise.race([askForFiles(session).catch(() => undefined), soon])
}
if (session) import('./first-page.ts').catch(() => undefined)
void import('./main.tsx')
