import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { giveUpRecognition } from './recognition-row.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSparseSpeech } from './testing/made-speech.ts'

let kit: TestService
let server: FakeRecognizer
afterEach(async () => {
  await kit.close()
  await server.close()
})

it('giving up a recording refunds it and ends its recognition, atomically', async () => {
  server = await startFakeRecognizer()
  kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
  const { db } = kit.platform
  const { key } = await kit.account()
  const { promise: asked, resolve: tell } = Promise.withResolvers<void>()
  server.before = () => {
    tell()
    return 'hang'
  }
  const { id } = await kit.order(key, makeSparseSpeech(1), '?transcript_type=automated')
  await asked
  const state = async () => ({
    heard: (await db.selectFrom('recognitions').select('file_id').execute()).length,
    refunds: (await db.selectFrom('ledger').select('id').where('kind', '=', 'refund').execute()).length,
    given_up: (await db.selectFrom('files').select('given_up').where('id', '=', id).executeTakeFirst())?.given_up,
  })
  await sql`create trigger fails before update of given_up on files begin select raise(abort, 'the disk is full'); end`.execute(
    db,
  )
  await expect(giveUpRecognition(kit.platform, id, 'Nobody understands it.')).rejects.toThrow('the disk is full')
  expect(await state()).toEqual({ heard: 1, refunds: 0, given_up: 0 })
  await sql`drop trigger fails`.execute(db)
  await giveUpRecognition(kit.platform, id, 'Nobody understands it.')
  expect(await state()).toEqual({ heard: 0, refunds: 1, given_up: 1 })
})
