import type { FastifyInstance } from 'fastify'
import {
  dismissedProposal,
  type FileVocabulary,
  newVocabulary,
  renamedPreset,
  type Vocabulary,
  vocabularyChange,
} from '../../../contract/account/vocabulary.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import type { Platform } from '../../platform/platform.ts'
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
import { readBody } from '../http/read-request.ts'

/** Two thousand entries of a few forms each, in any script. */
const maxBodyBytes = 4 * 1_024 * 1_024

type OfEntry = { Params: { id: string } }

/** `vocabulary`: words of the account; `files/:id/vocabulary`: what concerns one transcript. */
export async function vocabularyRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db } = platform

  app.get('vocabulary', async ({ caller: { account } }): Promise<Vocabulary> => {
    const [entries, saved, proposals] = await Promise.all([
      entriesOf(db, account.id),
      savedOf(db, account.id),
      proposalsFor(db, account.id, null),
    ])
    return { entries, saved, proposals }
  })

  app.post('vocabulary', { bodyLimit: maxBodyBytes }, async (request, reply) => {
    await addEntries(platform, request.caller, readBody(newVocabulary, request).entries)
    return reply.code(204).send()
  })

  app.patch('vocabulary', async (request, reply) => {
    const { preset, name } = readBody(renamedPreset, request)
    if (preset !== name) await renamePreset(platform, request.caller.account.id, preset, name)
    return reply.code(204).send()
  })

  app.patch<OfEntry>('vocabulary/:id', async (request, reply) => {
    const change = readBody(vocabularyChange, request)
    await changeEntry(platform, request.caller.account.id, request.params.id, change)
    return reply.code(204).send()
  })

  app.delete<OfEntry>('vocabulary/:id', async ({ caller, params }, reply) => {
    await removeEntry(platform, caller.account.id, params.id)
    return reply.code(204).send()
  })

  app.post('vocabulary/dismissed', async (request, reply) => {
    await dismissProposal(platform, request.caller.account.id, readBody(dismissedProposal, request))
    return reply.code(204).send()
  })

  app.get<OfEntry>('files/:id/vocabulary', async ({ caller: { account }, params }): Promise<FileVocabulary> => {
    const file = await ownFile(platform, account.id, params.id)
    const [{ words }, places, proposals] = await Promise.all([
      vocabularyFor(db, file),
      vocabularyPlaces(db, file.id),
      proposalsFor(db, account.id, file.id),
    ])
    return { preset: file.preset, words, places, proposals }
  })
}
