import { environments } from '../contract/environment.ts'
import { accountUrl, apiUrl, filePath } from './api/addresses.ts'
import { askEarly, firstScreen } from './api/early-answers.ts'
import { LibraryMarks } from './api/library-marks.ts'
import { type Session, storedSession } from './session/stored-session.ts'

/*
 * A script of its own, small and without React, that runs while the page's code is still being loaded and compiled: it
 * asks the service for what the list of files shows first, and for the code of the page itself.
 */

/** Asks what `FileLibrary` will ask: what the service offers and, unless that was pages last time, ids and metadata. */
async function askForFiles(session: Session): Promise<void> {
  const { environment, key } = session
  const marks = new LibraryMarks(session)
  const overview = askEarly('GET', accountUrl(environment, ''), key)
  if (marks.pages) return
  const list = await askEarly('GET', apiUrl(environment, 'files'), key)
  // With pages none of it is asked for by HEAD; what was kept here says what need not be asked for at all.
  if (!list.ok || marks.kept || (await overview).ok) return
  const ids = (await list.clone().json()) as { id: string }[]
  for (const { id } of ids.slice(0, firstScreen)) {
    void askEarly('HEAD', apiUrl(environment, filePath(id)), key)
  }
}

const environment = environments.find((one) => window.location.pathname.startsWith(`/${one}/`))
const session = environment === undefined ? null : storedSession(environment)
if (session) {
  // Whatever fails here is asked for again by the page, which tells what is wrong.
  if (window.location.pathname === `/${environment}/files`) askForFiles(session).catch(() => undefined)
  import('./first-page.ts').catch(() => undefined)
}
