import { keepPreviousData } from '@tanstack/react-query'
import { fileVocabulary, type NewVocabularyEntry, vocabulary } from '../../../contract/account/vocabulary.ts'
import { account } from './account.ts'
import { accountQuery, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** Queries of the account's vocabulary. */
export const vocabularyQueries = {
  all: (session: Session) => [...account.all(session), 'vocabulary'] as const,
  list: (session: Session) => accountQuery(session, ['vocabulary', 'list'], 'vocabulary', vocabulary),
  /** The vocabulary that concerns a transcript. @param syncs increments when the service receives corrections of it */
  ofFile: (session: Session, id: string, syncs: number) => {
    const path = `files/${encodeURIComponent(id)}/vocabulary`
    const more = { placeholderData: keepPreviousData }
    return accountQuery(session, ['vocabulary', 'file', id, syncs], path, fileVocabulary, more)
  },
}

async function change(session: Session, ...[path, call]: [string, Parameters<typeof sendToAccount>[2]]): Promise<void> {
  await sendToAccount(session, path, call)
  await queryClient.invalidateQueries({ queryKey: vocabularyQueries.all(session) })
}

/** Adds words, all or none; merges the heard forms of words that already exist. @throws ApiError */
export function addWords(session: Session, entries: readonly NewVocabularyEntry[]): Promise<void> {
  return change(session, 'vocabulary', { method: 'POST', body: { entries } })
}

/** @throws ApiError 409 if the word, or a heard form, already exists */
export function changeWord(session: Session, id: string, entry: NewVocabularyEntry): Promise<void> {
  return change(session, `vocabulary/${encodeURIComponent(id)}`, { method: 'PATCH', body: entry })
}

/** Moves a preset's words to its new name. @throws ApiError */
export function renamePreset(session: Session, preset: string, name: string): Promise<void> {
  return change(session, 'vocabulary', { method: 'PATCH', body: { preset, name } })
}

export function removeWord(session: Session, id: string): Promise<void> {
  return change(session, `vocabulary/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** Dismisses a proposed replacement for good. */
export function dismissProposal(session: Session, { heard, written }: { heard: string; written: string }) {
  return change(session, 'vocabulary/dismissed', { method: 'POST', body: { heard, written } })
}
