import { captionsPath } from '../../../contract/common/preloaded-pages.ts'
import { throttled } from '../../base/state/throttled.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { changeOfText } from '../edit/changes.ts'
import { readDraft, writeDraft } from '../edit/correction-store.ts'
import type { Corrections } from '../edit/corrections.ts'
import { makeTablePatch } from '../edit/patches.ts'
import type { WordSpan } from '../model/word.ts'
import { turnTime } from '../view/block-element.ts'
import type { Correcting } from './correcting.ts'
import type { Desk } from './desk.ts'

/** How often the draft is stored while typing. Milliseconds. */
const storeEveryMs = 1_000

/**
 * Stores the text being typed in a turn before it becomes a correction, so that a crash loses at most a second of
 * typing; restores the draft of an earlier crash. A lock limits this to one tab per transcript; the next tab takes over
 * when that one closes. Returns a function that ends it.
 */
export function keepDrafts(desk: Desk, corrections: Corrections, correcting: Correcting): () => void {
  const closing = new AbortController()
  const { signal } = closing
  const work = async () => {
    if (signal.aborted) return
    await restore(desk, corrections)
    const stop = storeWhileTyping(desk, corrections, correcting)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    stop()
  }
  // Rejects if the page is closed before the lock is granted.
  navigator.locks.request(`parley-draft ${JSON.stringify(corrections.key)}`, { signal }, work).catch(() => undefined)
  return () => closing.abort()
}

async function restore(desk: Desk, corrections: Corrections): Promise<void> {
  const draft = await readDraft(corrections.key)
  // While the transcript is approved (locked), the draft is kept until it is reopened.
  if (draft === null || !corrections.mayChange()) return
  const kept = await corrections.commitDraft(draft)
  await writeDraft(corrections.key, null)
  if (kept !== null) showToast({ title: 'What you were typing was kept', detail: showKept(desk, kept) })
}

/** Scrolls to what was kept, and marks it. @returns what to say of it */
function showKept(desk: Desk, kept: WordSpan | 'conflict'): string {
  if (kept === 'conflict') return 'Its words have changed in the meantime: choose in the bar below the text.'
  const { table, blocks, names } = desk.text.state.get()
  const word = Math.max(0, Math.min(kept.from, table.count - 1))
  desk.goToWord(word)
  desk.view?.scrollToWord(word)
  desk.view?.highlightSpan({ from: word, to: Math.max(kept.to, word + 1) })
  const at = (first: number) => turnTime(table.startOf(first), desk.beginsAt.get())
  const { from } = blocks.turnOf(blocks.blockOf(word))
  const name = names[table.speakerOf(word)]
  const place = location.pathname.endsWith(`/${captionsPath}`)
    ? `In the caption at ${at(word)}`
    : `In the turn ${name === undefined ? '' : `of ${name} `}at ${at(from)}`
  return `${place}. This page was closed before it was saved. Undo takes it back.`
}

function storeWhileTyping(desk: Desk, corrections: Corrections, { editing }: Correcting): () => void {
  let isStored = false
  const store = () => {
    const { table, fingerprint } = desk.text.state.get()
    const place = editing.get()
    if (place === null || fingerprint === null) return
    const typed = place.typed?.() ?? desk.view?.elementOf(place.block)?.querySelector('.block-text')?.textContent
    const change = typed == null ? null : changeOfText(table, place.from, place.to, typed, desk.voiced)
    if (change === null) return drop()
    const { at, removed, inserted } = change
    isStored = true
    const patch = makeTablePatch(table, at, at + removed.length, inserted)
    // If storage is full, the page reports it when the correction is saved.
    void writeDraft(corrections.key, { fingerprint, patch, inserted }).catch(() => undefined)
  }
  const drop = () => {
    if (!isStored) return
    isStored = false
    void writeDraft(corrections.key, null).catch(() => undefined)
  }
  const onInput = throttled((listener) => {
    window.addEventListener('input', listener)
    return () => window.removeEventListener('input', listener)
  }, storeEveryMs)
  const stopInput = onInput(store)
  // The last letters before a reload, too.
  const leaving = ['beforeunload', 'pagehide']
  for (const name of leaving) window.addEventListener(name, store)
  // Drops the draft once typing has ended and its correction is saved; what could not be saved stays a draft.
  const onEnd = () => {
    if (editing.get() === null && !['saving', 'failed'].includes(corrections.state.get().saved)) drop()
  }
  // The end of typing is reported before its correction starts saving.
  const stopEditing = editing.subscribe(() => queueMicrotask(onEnd))
  const stopState = corrections.state.subscribe(onEnd)
  return () => {
    stopInput()
    for (const name of leaving) window.removeEventListener(name, store)
    stopEditing()
    stopState()
  }
}
