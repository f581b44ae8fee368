import { environments } from '../../contract/interface/environment.ts'
import { accountUrl, apiUrl, entryUrl, filePath, firstPageUrl, peaksUrl, playbackUrl } from '../base/api/addresses.ts'
import type { Session } from '../base/api/client.ts'
import { earlyAnswers, firstScreen, parseJson } from '../base/api/early-answers.ts'
import { hasCachedFiles } from '../signed-in/library/library-hints.ts'
import { storedSession } from '../signed-in/session/stored-session.ts'
import { WordsLoad } from '../transcript/model/words-load.ts'

/*
 * Prefetches the data of the list of files, or of a transcript, as soon as this module runs; it needs nothing from the
 * page.
 */

/**
 * Prefetches the first requests of `FileLibrary`: the newest files as a page or, if the service has none, by a HEAD
 * request each.
 */
async function askForFiles(session: Session): Promise<void> {
  const { environment, key } = session
  const overview = earlyAnswers.send('GET', accountUrl(environment, ''), key)
  void earlyAnswers.send('GET', firstPageUrl(environment), key)
  if (await givesPages(overview)) return
  const list = await earlyAnswers.send('GET', apiUrl(environment, 'files'), key)
  if (!list.ok || hasCachedFiles(session)) return
  const ids = ((await parseJson(list)) as { id: string }[]).slice(0, firstScreen)
  for (const { id } of ids) void earlyAnswers.send('HEAD', apiUrl(environment, filePath(id)), key)
}

async function givesPages(overview: Promise<Response>): Promise<boolean> {
  const answer = await overview
  if (!answer.ok) return false
  const { features } = (await parseJson(answer)) as { features?: { pages?: boolean } }
  return features?.pages === true
}

/** Prefetches everything that a transcript page shows first; its loader and its parts claim the responses. */
async function askForTranscript(session: Session, id: string): Promise<void> {
  const { environment, key } = session
  WordsLoad.begin(session, id)
  const overview = earlyAnswers.send('GET', accountUrl(environment, ''), key)
  void earlyAnswers.send('GET', entryUrl(environment, id), key)
  void earlyAnswers.send('GET', peaksUrl(environment, id), key)
  void earlyAnswers.send('POST', playbackUrl(environment, id), key)
  if (!(await givesPages(overview))) void earlyAnswers.send('HEAD', apiUrl(environment, filePath(id)), key)
}

const { pathname } = window.location
const environment = environments.find((one) => pathname.startsWith(`/${one}/`))

/** The session stored in this tab for the URL's environment. */
export const session = environment === undefined ? null : storedSession(environment)

// The page repeats failed requests and reports their errors.
if (session && pathname === `/${environment}/files`) askForFiles(session).catch(() => undefined)

/** The prefetched transcript of the URL; null if the URL is another page. */
export const transcriptId = session && transcriptIdIn(/^\/\w+\/files\/([^/]+)(?:\/captions)?$/.exec(pathname)?.[1])
if (session && transcriptId) askForTranscript(session, transcriptId).catch(() => undefined)

function transcriptIdIn(segment: string | undefined): string | null {
  try {
    return segment === undefined ? null : decodeURIComponent(segment)
  } catch {
    // The router handles such a URL.
    return null
  }
}
