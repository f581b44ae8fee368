import {
  dismissedProposal,
  fileVocabulary,
  newVocabulary,
  renamedPreset,
  vocabulary,
  vocabularyChange,
} from '../../../contract/account/vocabulary.ts'
import {
  addEntries,
  changeEntry,
  listEntries,
  removeEntry,
  renamePreset,
  vocabularyFor,
} from '../../text/vocabulary/entries.ts'
import { countSaved, vocabularyPlaces } from '../../text/vocabulary/places.ts'
import { dismissProposal, proposalsFor } from '../../text/vocabulary/proposals.ts'
import { fileRoute, route } from '../http/account-route.ts'
import { nothing } from '../http/operation.ts'

/** Fits two thousand entries of a few forms each, in any script. */
const bodyLimit = 4 * 1_024 * 1_024

/** `vocabulary`: words of the account; `files/:id/vocabulary`: the entries relevant to one transcript. */
export const vocabularyRoutes = [
  route(
    'get /vocabulary',
    'Words of the account, what they saved, and what is proposed',
    { 200: vocabulary },
    async ({ platform: { db }, caller: { account } }) => {
      const [entries, saved, proposals] = await Promise.all([
        listEntries(db, account.id),
        countSaved(db, account.id),
        proposalsFor(db, account.id, null),
      ])
      return { entries, saved, proposals }
    },
  ),
  route(
    'post /vocabulary',
    'Add words',
    {
      body: newVocabulary,
      http: { bodyLimit },
      204: nothing,
      409: 'They would be too many, or one heard form would be written in two ways.',
    },
    ({ platform, caller, body }) => addEntries(platform, caller, body.entries),
  ),
  route(
    'patch /vocabulary',
    'Keep the words of a preset that was renamed',
    {
      body: renamedPreset,
      204: nothing,
      409: 'One is there already under that name, or would be written in two ways.',
    },
    async ({ platform, caller, body: { preset, name } }) => {
      if (preset !== name) await renamePreset(platform, caller.account.id, preset, name)
    },
  ),
  route(
    'patch /vocabulary/{id}',
    'Change a word',
    {
      body: vocabularyChange,
      204: nothing,
      409: 'It is there already, or one heard form would be written in two ways.',
    },
    ({ platform, caller, params, body }) => changeEntry(platform, caller.account.id, params.id, body),
  ),
  route('delete /vocabulary/{id}', 'Remove a word', { 204: nothing }, ({ platform, caller, params }) =>
    removeEntry(platform, caller.account.id, params.id),
  ),
  route(
    'post /vocabulary/dismissed',
    'Propose a replacement no more',
    { body: dismissedProposal, 204: nothing },
    ({ platform, caller, body }) => dismissProposal(platform, caller.account.id, body),
  ),
  fileRoute(
    'get /files/{id}/vocabulary',
    'What the vocabulary did for one transcript',
    { 200: fileVocabulary },
    async ({ platform: { db }, file }) => {
      const [{ words }, places, proposals] = await Promise.all([
        vocabularyFor(db, file),
        vocabularyPlaces(db, file.id),
        proposalsFor(db, file.account_id, file.id),
      ])
      return { preset: file.preset, words, places, proposals }
    },
  ),
]
