import { changesWithout } from '../edit/without-words.ts'
import type { WordSpan } from '../model/word.ts'
import { selectedWords } from '../view/selection.ts'
import type { OpenDesk } from './open-desk.ts'

/** Deletes the selected words, else the current doubtful words, else the spoken word. */
export function deleteWords({ desk, doubts, correcting }: OpenDesk): void {
  const { view } = desk
  // If a control outside the text has the focus, the key belongs to that control.
  const isElsewhere = document.activeElement?.closest('aside, header, nav') != null
  if (view === null || !correcting.ready || isElsewhere) return
  const doubt = doubts.current.get()
  const { from, to } = selectedWords(view.shown) ?? doubt ?? spokenWord(desk.spoken)
  const words = Array.from({ length: to - from }, (_, index) => from + index)
  if (words.length === 0) return
  const label = words.length === 1 ? 'Delete word' : 'Delete words'
  if (!correcting.change(label, changesWithout(view.shown.table, words))) return
  document.getSelection()?.removeAllRanges()
  if (doubt !== null) doubts.stepFrom(from)
}

const spokenWord = (word: number): WordSpan => ({ from: word, to: word === -1 ? -1 : word + 1 })
