import { useEffect } from 'react'
import { loopWhatIsTyped } from '../../desk/open-desk.ts'
import { deletionKeys, speakerKeys } from '../../desk/page-keys.ts'
import { EditBar } from '../edit-bar.tsx'
import { type Feature, type OpenPage, oncePerPage } from '../feature.ts'
import { useDrafts } from '../use-transcript.ts'

const loadDeleteWords = async () => (await import('../../desk/delete-words.ts')).deleteWords
const tools = oncePerPage((): { current: HTMLDivElement | null } => ({ current: null }))

/** Typing in the text: the turn's toolbar, drafts, and deleting selected words. */
export const typing: Feature = {
  name: 'typing',
  Bar: (page) => <EditBar ref={tools(page)} desk={page.desk} correcting={page.correcting} />,
  Background,
  keys: (page) => [
    ...deletionKeys(() => void loadDeleteWords().then((deleteWords) => deleteWords(page))),
    ...speakerKeys(page.desk, page.correcting),
  ],
}

/** Focuses the first button of the toolbar of the turn being edited. */
export function focusTools(page: Pick<OpenPage, 'desk'>): void {
  tools(page).current?.querySelector('button')?.focus()
}

function Background(page: OpenPage) {
  const { desk, correcting, session, record } = page
  const { id, seconds } = record
  useDrafts(page)
  useEffect(() => {
    let isAsked = false
    const load = async () => {
      if (isAsked || correcting.editing.get() === null) return
      isAsked = true
      const { loadVoiced } = await import('../../player/load-voiced.ts')
      desk.voiced = await loadVoiced(session, id, seconds)
    }
    return correcting.editing.subscribe(
      () =>
        void load().catch(() => {
          // Offline, words are timed without it; the next turn asks again.
          isAsked = false
        }),
    )
  }, [desk, correcting, session, id, seconds])
  useEffect(() => loopWhatIsTyped({ desk, correcting }), [desk, correcting])
  return null
}
