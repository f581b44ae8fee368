import type { Session } from '../../base/api/client.ts'
import type { StoredTranscript } from '../../signed-in/word-search/stored-transcript.ts'
import { storeTranscript } from '../../signed-in/word-search/word-search.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { WordTable } from '../model/word-table.ts'
import type { Desk } from './desk.ts'

/** Debounce after a correction, since each time the whole transcript is stored again. Milliseconds. */
const debounceMs = 3_000

/** A table in the form that is stored; its columns are copied, not shared. */
export function storedForm(name: string, table: WordTable): StoredTranscript {
  const numbers = new Uint32Array(table.count)
  let last = 0
  for (let word = 0; word < table.count; word++) {
    const origin = table.origins[word] ?? -1
    if (origin >= 0) last = origin
    numbers[word] = last
  }
  const { count, text } = table
  return { name, text, offsets: table.offsets.slice(0, count + 1), starts: table.starts.slice(0, count), numbers }
}

/**
 * Stores the words of an open transcript on this device, and again after corrections, so that the palette finds them.
 * Returns a function that stops.
 */
export function storeWords(session: Session, file: { id: string; name: string }, desk: Desk, corrections: Corrections) {
  let stored: WordTable | null = null
  let timer = 0
  const store = () => {
    window.clearTimeout(timer)
    timer = 0
    const { table } = desk.text.state.get()
    stored = table
    storeTranscript(session, file.id, storedForm(file.name, table))
  }
  const schedule = () => {
    const { saved } = corrections.state.get()
    const { table } = desk.text.state.get()
    if (saved === 'waiting' || saved === 'saving' || table === stored || table.count === 0) return
    window.clearTimeout(timer)
    timer = window.setTimeout(store, stored === null ? 0 : debounceMs)
  }
  schedule()
  const unsubscribe = corrections.state.subscribe(schedule)
  return () => {
    unsubscribe()
    if (timer !== 0) store()
  }
}
