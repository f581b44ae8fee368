import {
  dismissedProposal,
  fileVocabulary,
  newVocabulary,
  renamedPreset,
  vocabulary,
  vocabularyChange,
} from '../../../contract/account/vocabulary.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import {
  addEntries,
  changeEntry,
  entriesOf,
  removeEntry,
  renamePreset,
  vocabularyFor,
} from '../../text/vocabulary/entries.ts'
import { savedOf, vocabularyPlaces } from '../../text/vocabulary/places.ts'
import { dismissProposal, proposalsFor } from '../../text/vocabulary/proposals.ts'
import { nothing } from '../http/operation.ts'
import { route } from '../http/route.ts'

/** Fits two thousand entries of a few forms each, in any script. */
const maxBodyBytes = 4 * 1_024 * 1_024

/** `vocabulary`: words of the account; `files/:id/vocabulary`: the entries relevant to one transcript. */
export const vocabularyRoutes = [
  route({
    call: 'get /vocabulary',
    summary: 'Words of the account, what they saved, and what is proposed',
    answers: { 200: vocabulary },
    handler: async ({ platform: { db }, caller: { account } }) => {
      const [entries, saved, proposals] = await Promise.all([
        entriesOf(db, account.id),
        savedOf(db, account.id),
        proposalsFor(db, account.id, null),
      ])
      return { entries, saved, proposals }
    },
  }),
  route({
    call: 'post /vocabulary',
    summary: 'Add words',
    answers: { 204: nothing, 409: 'They would be too many, or one heard form would be written in two ways.' },
    body: newVocabulary,
    bodyLimit: maxBodyBytes,
    handler: ({ platform, caller, body }) => addEntries(platform, caller, body.entries),
  }),
  route({
    call: 'patch /vocabulary',
    summary: 'Keep the words of a preset that was renamed',
    answers: { 204: nothing, 409: 'One is there already under that name, or would be written in two ways.' },
    body: renamedPreset,
    handler: async ({ platform, caller, body: { preset, name } }) => {
      if (preset !== name) await renamePreset(platform, caller.account.id, preset, name)
    },
  }),
  route({
    call: 'patch /vocabulary/{id}',
    summary: 'Change a word',
    answers: { 204: nothing, 409: 'It is there already, or one heard form would be written in two ways.' },
    body: vocabularyChange,
    handler: ({ platform, caller, params, body }) => changeEntry(platform, caller.account.id, params.id, body),
  }),
  route({
    call: 'delete /vocabulary/{id}',
    summary: 'Remove a word',
    answers: { 204: nothing },
    handler: ({ platform, caller, params }) => removeEntry(platform, caller.account.id, params.id),
  }),
  route({
    call: 'post /vocabulary/dismissed',
    summary: 'Propose a replacement no more',
    answers: { 204: nothing },
    body: dismissedProposal,
    handler: ({ platform, caller, body }) => dismissProposal(platform, caller.account.id, body),
  }),
  route({
    call: 'get /files/{id}/vocabulary',
    summary: 'What the vocabulary did for one transcript',
    answers: { 200: fileVocabulary },
    handler: async ({ platform, caller: { account }, params }) => {
      const file = await ownFile(platform, account.id, params.id)
      const [{ words }, places, proposals] = await Promise.all([
        vocabularyFor(platform.db, file),
        vocabularyPlaces(platform.db, file.id),
        proposalsFor(platform.db, account.id, file.id),
      ])
      return { preset: file.preset, words, places, proposals }
    },
  }),
]
