import type { Session } from '../../api/client.ts'
import { Signal } from '../../state/signal.ts'
import type { Editing } from '../edit/block-editor.ts'
import { Corrections } from '../edit/corrections.ts'
import { Correcting } from './correcting.ts'
import { Desk } from './desk.ts'
import { Doubts } from './doubts.ts'

/** An open transcript and what works on it. */
export type OpenDesk = { desk: Desk; corrections: Corrections; correcting: Correcting; doubts: Doubts }

/** Creates what a transcript's page works with. @param toTools focuses the buttons for the turn being typed in */
export function openDesk(session: Session, id: string, toTools: () => void): OpenDesk {
  const desk = new Desk(session, id)
  const editing = new Signal<Editing | null>(null)
  const key = [session.environment, session.account, id] as const
  const corrections = new Corrections(desk.text, key, () => untilTypingEnds(editing))
  return {
    desk,
    corrections,
    correcting: new Correcting(desk, corrections, editing, toTools),
    doubts: new Doubts(desk),
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
