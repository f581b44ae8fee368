import { created, inserted, type Recipe, replaced, testAlone } from './recipe.ts'

const service = 'src/service/start/service.ts'
const settings = 'src/service/accounts/settings.ts'
const changeFile = 'src/service/orders/file/change-file.ts'

export const job: Recipe = {
  section: 'A job',
  atMostFiles: 5,
  edits: [
    replaced('src/service/platform/db/outbox.ts', "  | 'render'\n", "  | 'render'\n  | 'pdf'\n"),
    created(
      'src/service/text/transcripts/pdf-job.ts',
      `import { fileById } from '../../platform/db/change-files.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobKind } from '../../platform/queue/worker.ts'
import { readTranscript, pickVariant } from './render-transcript.ts'

/** Job \`pdf\`: renders a finished transcript before somebody waits for it. */
export function pdfJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    async run(job) {
      const file = await fileById(platform.db, job.file_id)
      if (file === undefined) return { end: 'done' }
      const made = await readTranscript(platform, file, pickVariant(file, 'pdf', null))
      if ('content' in made) made.content.on('error', () => undefined).destroy()
      return { end: 'done' }
    },
    // It is rendered on demand.
    async gaveUp() {},
  }
}
`,
    ),
    inserted(service, '    render: renderJob(platform),', '    pdf: pdfJob(platform),'),
    inserted(service, "import { buildApp } from './app.ts'", "import { pdfJob } from '../text/transcripts/pdf-job.ts'"),
    replaced(
      changeFile,
      "await enqueueJob(trx, id, 'render', now)\n",
      `{
    await enqueueJob(trx, id, 'render', now)
    await enqueueJob(trx, id, 'pdf', now)
  }
`,
    ),
    {
      file: 'src/service/text/transcripts/render-transcript.test.ts',
      replace:
        "    const { written, platform } = countingWrites()\n    const variant = pickVariant(finished as FileRow, 'json', 'zstd')",
      text: `    await kit.until(
      async () => (await blobs.size(file.id, \`rendered/\${renderingVersion}-\${finished?.ready_at}.pdf\`)) !== null,
    )
    const { written, platform } = countingWrites()
    const variant = pickVariant(finished as FileRow, 'json', 'zstd')`,
      unnoticed: testAlone,
    },
  ],
  tests: ['src/service/text/transcripts/render-transcript.test.ts'],
}

export const chore: Recipe = {
  section: 'A chore',
  atMostFiles: 3,
  edits: [
    created(
      'src/service/api/sandbox/purge-demo-counts.ts',
      `import type { Platform } from '../../platform/platform.ts'

const hourMs = 60 * 60 * 1_000

/** Deletes counts of demo accounts of past hours, with their addresses. */
export async function purgeDemoCounts({ db, clock }: Platform): Promise<void> {
  await db.deleteFrom('demo_counts').where('hour', '<', Math.floor(clock() / hourMs)).execute()
}
`,
    ),
    inserted(
      service,
      "  { name: 'card-visits', everyMs: 600_000",
      "  { name: 'demo-counts', everyMs: 600_000, frees: true, run: purgeDemoCounts },",
    ),
    inserted(
      service,
      "import { buildApp } from './app.ts'",
      "import { purgeDemoCounts } from '../api/sandbox/purge-demo-counts.ts'",
    ),
    created(
      'src/service/api/sandbox/purge-demo-counts.test.ts',
      `import { expect, test } from 'vitest'
import { startTestService } from '../../testing/test-service.ts'

test('counts of demo accounts are deleted after their hour', async () => {
  const kit = await startTestService()
  const { db } = kit.platform
  await db.insertInto('demo_counts').values({ hour: 1, address: '203.0.113.1', count: 1 }).execute()
  await kit.doChores()
  expect(await db.selectFrom('demo_counts').selectAll().execute()).toEqual([])
  await kit.close()
})
`,
      testAlone,
    ),
  ],
  tests: ['src/service/api/sandbox/purge-demo-counts.test.ts'],
}

export const event: Recipe = {
  section: 'An event',
  atMostFiles: 4,
  edits: [
    replaced(
      'src/contract/account/events.ts',
      '  /** the webhook was set,',
      '  /** default options of orders changed: fetch the account again */\n  defaults: z.object({}),\n  /** the webhook was set,',
    ),
    replaced(
      settings,
      `(trx) =>
    setColumns(trx, { default_options_json: json }, { action: 'defaults', detail: 'changed' }, platform.clock()),
  )`,
      `async (trx) => {
    const values = { default_options_json: json }
    await setColumns(trx, values, { action: 'defaults', detail: 'changed' }, platform.clock())
    await appendEvent(trx, 'defaults', {}, platform.clock())
  })`,
    ),
    inserted(
      settings,
      "import { notifyAccount } from './notify-account.ts'",
      "import { appendEvent } from '../platform/db/outbox.ts'",
    ),
    inserted(
      'src/web/signed-in/library/live.ts',
      '  account: ({ session }) => reread(account.all(session)),',
      '  defaults: ({ session }) => reread(account.overview(session).queryKey),',
    ),
    replaced(
      'src/service/accounts/events/events.db.test.ts',
      "  test('resumes after the last id",
      `  test('says that default options changed', async () => {
    const stream = await openEvents(room.service.address, room.account.key)
    await stream.nextOf('hello')
    await room.client.read('PUT', 'defaults', { spelling_style: 'british' })
    expect((await stream.nextOf('defaults')).data).toEqual({})
    stream.close()
  })

  test('resumes after the last id`,
      testAlone,
    ),
  ],
  tests: ['src/service/accounts/events/events.db.test.ts'],
}
