import { environments } from '../../contract/interface/environment.ts'
import { accountUrl, apiUrl, filePath, firstPageUrl, peaksUrl, playbackUrl } from '../base/api/addresses.ts'
import type { Session } from '../base/api/client.ts'
import { earlyAnswers, firstScreen, jsonOf } from '../base/api/early-answers.ts'
import { LibraryHints } from '../signed-in/library/library-hints.ts'
import { storedSession } from '../signed-in/session/stored-session.ts'
import { WordsLoad } from '../transcript/model/words-load.ts'

/*
 * Asks the service for what the list of files, or a transcript, shows first, as soon as this module is run: it needs
 * nothing of the page.
 */

/** Asks what `FileLibrary` will ask: the newest files by a page or, where the service has none, by the HEADs of each. */
async function askForFiles(session: Session): Promise<void> {
  const { environment, key } = session
  const overview = earlyAnswers.send('GET', accountUrl(environment, ''), key)
  void earlyAnswers.send('GET', firstPageUrl(environment), key)
  const hints = new LibraryHints(session)
  if (hints.hasPages || (await givesPages(overview))) return
  const list = await earlyAnswers.send('GET', apiUrl(environment, 'files'), key)
  if (!list.ok || hints.hasCache) return
  const ids = ((await jsonOf(list)) as { id: string }[]).slice(0, firstScreen)
  for (const { id } of ids) void earlyAnswers.send('HEAD', apiUrl(environment, filePath(id)), key)
}

async function givesPages(overview: Promise<Response>): Promise<boolean> {
  const answer = await overview
  if (!answer.ok) return false
  const { features } = (await jsonOf(answer)) as { features?: { pages?: boolean } }
  return features?.pages === true
}

/** Asks for all that the page of a transcript shows at once: its loader, and its parts, claim the answers. */
function askForTranscript(session: Session, id: string): void {
  const { environment, key } = session
  WordsLoad.begin(session, id)
  void earlyAnswers.send('HEAD', apiUrl(environment, filePath(id)), key)
  void earlyAnswers.send('GET', accountUrl(environment, ''), key)
  void earlyAnswers.send('GET', peaksUrl(environment, id), key)
  void earlyAnswers.send('POST', playbackUrl(environment, id), key)
}

const { pathname } = window.location
const environment = environments.find((one) => pathname.startsWith(`/${one}/`))

/** Who is signed in to the environment of the address, in a tab that has stored it. */
export const session = environment === undefined ? null : storedSession(environment)

// Whatever fails here is asked for again by the page, which says what is wrong.
if (session && pathname === `/${environment}/files`) askForFiles(session).catch(() => undefined)

/** The transcript that the address names, which is asked for; null if another page is asked for. */
export const transcriptId = session && transcriptIdIn(/^\/\w+\/files\/([^/]+)$/.exec(pathname)?.[1])
if (session && transcriptId) askForTranscript(session, transcriptId)

function transcriptIdIn(segment: string | undefined): string | null {
  try {
    return segment === undefined ? null : decodeURIComponent(segment)
  } catch {
    // The router says what it thinks of such an address.
    return null
  }
}
