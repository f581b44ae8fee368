import { type Recipe, testAlone } from './recipe.ts'

const service = 'src/service/start/service.ts'
const settings = 'src/service/accounts/settings.ts'
const changeFile = 'src/service/orders/file/change-file.ts'

export const job: Recipe = {
  section: 'A job',
  atMostFiles: 5,
  edits: [
    { file: 'src/service/platform/db/outbox.ts', replace: " | 'render' |", text: " | 'render' | 'pdf' |" },
    {
      file: 'src/service/text/transcripts/pdf-job.ts',
      isNew: true,
      text: `import { fileById } from '../../platform/db/change-files.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobKind } from '../../platform/queue/worker.ts'
import { readTranscript, variantOf } from './render-transcript.ts'

/** Job \`pdf\`: renders a finished transcript before somebody waits for it. */
export function pdfJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    async run(job) {
      const file = await fileById(platform.db, job.file_id)
      if (file === undefined) return { end: 'done' }
      const made = await readTranscript(platform, file, variantOf(file, 'pdf', null))
      if ('content' in made) made.content.on('error', () => undefined).destroy()
      return { end: 'done' }
    },
    // It is rendered on demand.
    async gaveUp() {},
  }
}
`,
    },
    { file: service, after: '    render: renderJob(platform),', text: '    pdf: pdfJob(platform),' },
    {
      file: service,
      after: "import { buildApp } from './app.ts'",
      text: "import { pdfJob } from '../text/transcripts/pdf-job.ts'",
    },
    {
      file: changeFile,
      replace: "await enqueueJob(trx, id, 'render', now)\n",
      text: `{
    await enqueueJob(trx, id, 'render', now)
    await enqueueJob(trx, id, 'pdf', now)
  }
`,
    },
    {
      file: 'src/service/text/transcripts/render-transcript.test.ts',
      replace:
        "    const { written, platform } = countingWrites()\n    const variant = variantOf(finished as FileRow, 'json', 'zstd')",
      text: `    await kit.until(
      async () => (await blobs.size(file.id, \`rendered/\${renderingVersion}-\${finished?.ready_at}.pdf\`)) !== null,
    )
    const { written, platform } = countingWrites()
    const variant = variantOf(finished as FileRow, 'json', 'zstd')`,
      unnoticed: testAlone,
    },
  ],
  tests: ['src/service/text/transcripts/render-transcript.test.ts'],
}

export const chore: Recipe = {
  section: 'A chore',
  atMostFiles: 3,
  edits: [
    {
      file: 'src/service/api/sandbox/purge-demo-counts.ts',
      isNew: true,
      text: `import type { Platform } from '../../platform/platform.ts'

const hourMs = 60 * 60 * 1_000

/** Deletes counts of demo accounts of past hours, with their addresses. */
export async function purgeDemoCounts({ db, clock }: Platform): Promise<void> {
  await db.deleteFrom('demo_counts').where('hour', '<', Math.floor(clock() / hourMs)).execute()
}
`,
    },
    {
      file: service,
      after: "  { name: 'card-visits', everyMs: 600_000",
      text: "  { name: 'demo-counts', everyMs: 600_000, frees: true, run: purgeDemoCounts },",
    },
    {
      file: service,
      after: "import { buildApp } from './app.ts'",
      text: "import { purgeDemoCounts } from '../api/sandbox/purge-demo-counts.ts'",
    },
    {
      file: 'src/service/api/sandbox/purge-demo-counts.test.ts',
      isNew: true,
      text: `import { expect, test } from 'vitest'
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
      unnoticed: testAlone,
    },
  ],
  tests: ['src/service/api/sandbox/purge-demo-counts.test.ts'],
}

export const event: Recipe = {
  section: 'An event',
  atMostFiles: 4,
  edits: [
    {
      file: 'src/contract/account/events.ts',
      replace: '  /** the webhook was set,',
      text: '  /** default options of orders changed: fetch the account again */\n  defaults: z.object({}),\n  /** the webhook was set,',
    },
    {
      file: settings,
      replace: `(trx) =>
    setColumns(trx, { default_options_json: json }, { action: 'defaults', detail: 'changed' }, platform.clock()),
  )`,
      text: `async (trx) => {
    const values = { default_options_json: json }
    await setColumns(trx, values, { action: 'defaults', detail: 'changed' }, platform.clock())
    await appendEvent(trx, 'defaults', {}, platform.clock())
  })`,
    },
    {
      file: settings,
      after: "import { notifyAccount } from './notify-account.ts'",
      text: "import { appendEvent } from '../platform/db/outbox.ts'",
    },
    {
      file: 'src/web/signed-in/library/live.ts',
      after: '  account: ({ session }) => reread(account.all(session)),',
      text: '  defaults: ({ session }) => reread(account.overview(session).queryKey),',
    },
    {
      file: 'src/service/accounts/events/events.db.test.ts',
      replace: "  test('resumes after the last id",
      text: `  test('says that default options changed', async () => {
    const stream = await openEvents(room.service.address, room.account.key)
    await stream.nextOf('hello')
    await room.client.read('PUT', 'defaults', { spelling_style: 'british' })
    expect((await stream.nextOf('defaults')).data).toEqual({})
    stream.close()
  })

  test('resumes after the last id`,
      unnoticed: testAlone,
    },
  ],
  tests: ['src/service/accounts/events/events.db.test.ts'],
}
