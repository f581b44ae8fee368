import type { Session } from '../../api/client.ts'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { WordTable } from '../model/word-table.ts'
import type { KeptRequest } from './kept-protocol.ts'
import { keptOf } from './kept-transcript.ts'

const begin = () => new Worker(new URL('./kept-worker.ts', import.meta.url), { type: 'module' })

/** After the last correction; each keeps the whole transcript anew. Milliseconds. */
const restMs = 3_000

/**
 * Keeps the words of an open transcript on this device, as they stand after each correction, so that the palette finds
 * them. Returns a function that stops.
 */
export function keepWords(session: Session, file: { id: string; name: string }, desk: Desk, corrections: Corrections) {
  let kept: WordTable | null = null
  let timer = 0
  const keep = () => {
    window.clearTimeout(timer)
    timer = 0
    const { table } = desk.text.state.get()
    kept = table
    const message = { kind: 'keep', session, file: file.id, transcript: keptOf(file.name, table) } as const
    const { offsets, starts, numbers } = message.transcript
    begin().postMessage(message satisfies KeptRequest, [offsets.buffer, starts.buffer, numbers.buffer])
  }
  const look = () => {
    const { saved } = corrections.state.get()
    const { table } = desk.text.state.get()
    if (saved === 'waiting' || saved === 'saving' || table === kept || table.count === 0) return
    window.clearTimeout(timer)
    timer = window.setTimeout(keep, kept === null ? 0 : restMs)
  }
  look()
  const stop = corrections.state.subscribe(look)
  return () => {
    stop()
    if (timer !== 0) keep()
  }
}
