import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useRight } from '../../base/api/use-right.ts'
import { whenIdle } from '../../base/state/when-idle.ts'
import { markCorrected } from '../../signed-in/library/corrected-files.ts'
import { placeOfHash } from '../../signed-in/transcript-place.ts'
import type { Desk } from '../desk/desk.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import { hasDraft } from '../edit/correction-store.ts'
import type { Corrections } from '../edit/corrections.ts'
import { WordsLoad } from '../model/words-load.ts'

/**
 * Loads the text, opens it at the URL's place or the last reading position, and stores the reading position.
 * @param ahead the words prefetched by the page's loader
 */
export function useText(desk: Desk, session: Session, record: FileRecord, ahead: WordsLoad | null): void {
  const { hash, key } = useLocation()
  const { id, percent } = record
  useEffect(() => {
    const place = placeOfHash(hash)
    if (place !== null) return desk.goTo(place)
    const word = loadReadingPosition(session, id)
    if (word !== null) desk.goTo({ kind: 'words', from: word, to: word + 1, silent: true })
    // Includes the key, as the same link may be followed again.
  }, [desk, hash, key, session, id])
  // Depends on fields, not on the record: its other changes need no new text.
  const { data: soFar } = useQuery({ ...files.textSoFar(session, id, percent), enabled: percent !== 100 })
  useEffect(() => {
    if (soFar === undefined) return
    let isCurrent = true
    void import('../desk/show-so-far.ts').then(({ showSoFar }) => {
      if (isCurrent) showSoFar(desk, soFar, record.metadata.options)
    })
    return () => {
      isCurrent = false
    }
  }, [desk, soFar])
  useEffect(() => {
    if (percent !== 100) return
    const load = ahead === null || ahead.isUsed ? new WordsLoad(session, id) : ahead
    desk.openFinished(load, record.metadata.options)
    return () => desk.text.close()
  }, [desk, session, id, percent, ahead])
  useEffect(() => {
    const storePosition = () => {
      const { table } = desk.text.state.get()
      if (desk.view !== null && table.count > 0) storeReadingPosition(session, id, table.originOf(desk.view.topWord()))
    }
    window.addEventListener('pagehide', storePosition)
    const timer = window.setInterval(storePosition, 5_000)
    return () => {
      storePosition()
      window.clearInterval(timer)
      window.removeEventListener('pagehide', storePosition)
    }
  }, [desk, session, id])
  useEffect(() => () => desk.close(), [desk])
}

/** Starts corrections once the whole text is loaded and its speakers are matched; notifies the list of files. */
export function useCorrections(
  desk: Desk,
  corrections: Corrections,
  session: Session,
  { id, percent }: FileRecord,
): void {
  const ready = percent === 100
  const mayCorrect = useRight(session, 'correct')
  useEffect(() => {
    if (!mayCorrect) corrections.forbid()
  }, [corrections, mayCorrect])
  useEffect(() => {
    if (!ready) return
    let started = false
    const start = () => {
      const { phase, named, estimated } = desk.text.state.get()
      if (started || phase !== 'whole' || !named || estimated) return
      started = true
      void corrections.start()
      whenIdle(() => desk.find.prepare())
    }
    start()
    return desk.text.state.subscribe(start)
  }, [desk, corrections, ready])
  useEffect(() => corrections.open(), [corrections])
  useEffect(
    () =>
      corrections.state.subscribe(() => {
        const { saved, count } = corrections.state.get()
        if (saved === 'saved' || saved === 'none') markCorrected(session, id, count > 0)
      }),
    [corrections, session, id],
  )
}

/**
 * Preserves unsaved typing across tab crashes; its code is loaded once somebody types, or if there is a draft to
 * restore.
 */
export function useDrafts({ desk, corrections, correcting }: OpenDesk): void {
  useEffect(() => {
    let end: (() => void) | null = null
    let isBegun = false
    const begin = async () => {
      if (isBegun) return
      isBegun = true
      const { keepDrafts } = await import('../desk/typing-draft.ts')
      if (isBegun) end = keepDrafts(desk, corrections, correcting)
    }
    // Without its code, e.g. offline, typing is only stored when it ends.
    const tryToBegin = () => void begin().catch(() => (isBegun = false))
    const stopWaiting = corrections.state.subscribe(() => {
      if (corrections.state.get().saved === 'waiting') return
      stopWaiting()
      void hasDraft(corrections.key).then((has) => has && tryToBegin())
    })
    const stopEditing = correcting.editing.subscribe(tryToBegin)
    return () => {
      isBegun = false
      stopWaiting()
      stopEditing()
      end?.()
    }
  }, [desk, corrections, correcting])
}

const storageKey = ({ environment, account }: Session, id: string) => `parley.place.${environment}.${account}.${id}`

/** The word at the top when this file was last closed; null if unknown. */
function loadReadingPosition(session: Session, id: string): number | null {
  const word = Number(localStorage.getItem(storageKey(session, id)) ?? Number.NaN)
  return Number.isInteger(word) && word > 0 ? word : null
}

/** Stores the word at the top for the next visit. */
function storeReadingPosition(session: Session, id: string, word: number): void {
  try {
    if (word > 0) localStorage.setItem(storageKey(session, id), String(word))
    else localStorage.removeItem(storageKey(session, id))
  } catch {
    // Storage is full or blocked: the next visit starts at the top; everything else works.
  }
}
