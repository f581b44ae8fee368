import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { fetchPlayback } from '../../base/api/playback.ts'
import { Signal } from '../../base/state/signal.ts'
import type { DocumentKey } from '../../signed-in/library/correction-database.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'
import { Corrections } from '../edit/corrections.ts'
import type { Editing } from '../view/block-editor.ts'
import { Correcting } from './correcting.ts'
import { Desk } from './desk.ts'
import { Doubts } from './doubts.ts'

/** An open transcript and its controllers. */
export type OpenDesk = { desk: Desk; corrections: Corrections; correcting: Correcting; doubts: Doubts }

/** BCP 47 tags for the spelling options of orders. */
const spellings: Record<OrderOptions['spelling_style'], string> = {
  american: 'en-US',
  british: 'en-GB',
  canadian: 'en-CA',
  australian: 'en-AU',
}

/** What to open: the storage key of its corrections, its spelling, and how to renew its media URL. */
type Opened = { key: DocumentKey; spelling: OrderOptions['spelling_style']; renew: () => Promise<string | null> }

/** Describes a file of an account for `openDesk`. */
export function openedFile(session: Session, { id, metadata }: FileRecord): Opened {
  return {
    key: [session.environment, session.account, id],
    spelling: metadata.options.spelling_style,
    renew: async () => (await fetchPlayback(session, id))?.url ?? null,
  }
}

/** Creates the controllers of a transcript's page. @param toTools focuses the toolbar of the turn being edited */
export function openDesk({ key, spelling, renew }: Opened, toTools: () => void): OpenDesk {
  const desk = new Desk(renew)
  const editing = new Signal<Editing | null>(null)
  const corrections = new Corrections(desk.text, key, () => untilTypingEnds(editing))
  const correcting = new Correcting(desk, corrections, editing, spellings[spelling], toTools)
  return { desk, corrections, correcting, doubts: new Doubts(desk, correcting) }
}

/** Loops the words being edited if the user has turned that on. Returns a function that stops. */
export function loopWhatIsTyped({ desk, correcting: { editing } }: Pick<OpenDesk, 'desk' | 'correcting'>): () => void {
  const follow = () => desk.loopTyped(preferences.get().loopTurn ? editing.get() : null)
  const stops = [editing.subscribe(follow), preferences.subscribe(follow)]
  return () => {
    for (const stop of stops) stop()
  }
}

async function untilTypingEnds(editing: Signal<Editing | null>): Promise<void> {
  if (editing.get() === null) return
  await new Promise<void>((resolve) => {
    const stop = editing.subscribe(() => {
      if (editing.get() !== null) return
      stop()
      resolve()
    })
  })
}
