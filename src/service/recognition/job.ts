import { type RawBuilder, sql } from 'kysely'
import { isLate, parseOptions, setDelay, waitForTypists } from '../orders/file/progress.ts'
import { fileById } from '../platform/db/change-files.ts'
import type { FileRow, Job } from '../platform/db/schema.ts'
import { isFullDisk, StorageAwayError } from '../platform/media/file-errors.ts'
import { ensurePeaks } from '../platform/media/peaks.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobEnd, JobKind } from '../platform/queue/worker.ts'
import type { EngineChoice } from './choose-engine.ts'
import { decodeRecording } from './decode-recording.ts'
import { EngineAwayError } from './engine.ts'
import { hearSection } from './hear-section.ts'
import { joinWords } from './join-words.ts'
import { giveUpRecognition, startOver } from './recognition-row.ts'

/** How long a live manual order waits for an engine before it is typed without the recognizer's words. */
const typistsWaitMs = 15 * 60_000

/** Interval at which a waiting order checks for an engine. */
const engineRetryMs = 15_000

/** @returns why an order waits for something its recording did not cause; null if the recording is at fault */
function reasonToWait(error: unknown): string | null {
  if (error instanceof EngineAwayError) return error.message
  if (error instanceof StorageAwayError) return 'The storage of recordings cannot be reached.'
  return isFullDisk(error) ? 'The service is out of storage space for the sound of this recording.' : null
}

type Step = { platform: Platform; own: OwnEngine; job: Job; file: FileRow; signal: AbortSignal }

function isTyped(file: FileRow): boolean {
  return file.environment === 'live' && parseOptions(file).transcript_type === 'manual'
}

async function runStep({ platform, own, job, file, signal }: Step): Promise<JobEnd> {
  if (job.step === 'join') return await joinWords(platform, file, signal)
  // Do not decode without an engine either: the audio of many recordings would fill the disk.
  const choice = await own.choose()
  if (choice.engine === null) {
    if (!isTyped(file)) await setDelay(platform, file.id, choice.reason)
    else if (platform.clock() - file.created_at >= typistsWaitMs) {
      await waitForTypists(platform, file.id)
      return { end: 'done' }
    }
    return { end: 'again', afterMs: engineRetryMs }
  }
  if (file.delay_reason !== null && !isLate(file, platform.clock())) await setDelay(platform, file.id, null)
  if (job.step === null) return await decodeRecording(platform, job, file, signal)
  const whose = await own.claim(file.id)
  if (whose === 'ours') return await hearSection(platform, choice.engine, job, file, signal)
  if (whose === 'theirs') return { end: 'again', afterMs: engineRetryMs }
  platform.log.info({ fileId: file.id }, 'heard again from the start, as no process has the engine that began it')
  return { end: 'done', also: (trx) => startOver(trx, file, platform.clock()) }
}

/** Runs one step of recognition; waits, with a visible reason, for anything the recording did not cause. */
async function runOrWait(step: Step): Promise<JobEnd> {
  try {
    return await runStep(step)
  } catch (error) {
    const reason = reasonToWait(error)
    if (reason === null || step.signal.aborted) throw error
    await setDelay(step.platform, step.file.id, `${reason} Retrying automatically.`)
    return { end: 'again', afterMs: engineRetryMs }
  }
}

/** Filters jobs to claim: the next to decode alongside sections, and recordings of this process's engine. */
function claimable({ nodes }: Platform, parallel: number, running: readonly Job[]): RawBuilder<boolean> {
  const decoding = running.filter(({ step }) => step === null).length
  const [mayDecode, mayHear] = [decoding === 0, running.length - decoding < parallel]
  // Back-pressure: decoded audio takes disk space, so each account may have twice as many decoded recordings as can be
  // recognized at once.
  const isFull = sql`account_id in (
    select account_id from recognitions group by account_id having count(*) >= ${2 + 2 * parallel * nodes.working})`
  const isBegun = sql`file_id in (select file_id from recognitions)`
  // This process's engine is known only after first use.
  const isOthers =
    nodes.hears === null
      ? sql.lit(false)
      : sql`exists (select 1 from recognitions join nodes on nodes.hears = recognitions.engine
        where recognitions.file_id = jobs.file_id and recognitions.engine <> ${nodes.hears})`
  return sql<boolean>`case when step is null then ${sql.lit(mayDecode)} and (${isBegun} or not ${isFull})
    else ${sql.lit(mayHear)} and not (step = 'hear' and ${isOthers}) end`
}

/**
 * Job `speech`: recognizes a file in steps. One decodes it, any number recognize a section each, and the last one joins
 * the words. A process decodes one recording alongside the sections that it recognizes.
 */
export function speechJob(platform: Platform, engines: EngineChoice): JobKind {
  const own = new OwnEngine(platform, engines)
  return {
    parallel: engines.parallel + 1,
    only: (running) => claimable(platform, engines.parallel, running),
    async run(job, signal) {
      const file = await fileById(platform.db, job.file_id)
      if (file === undefined || file.given_up === 1 || file.progress_percent === 100) return { end: 'done' }
      return await runOrWait({ platform, own, job, file, signal })
    },
    async gaveUp({ file_id }) {
      if (file_id === null) return
      const file = await fileById(platform.db, file_id)
      if (file !== undefined && isTyped(file)) return await waitForTypists(platform, file_id)
      await giveUpRecognition(platform, file_id, 'The recognizer failed on this recording several times.')
    },
  }
}

/** Job `peaks`: computes a file's waveform for the player, which also works without one. */
export function peaksJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    async run(job, signal) {
      const file = await fileById(platform.db, job.file_id)
      if (file !== undefined) await ensurePeaks(platform.blobs, file, signal)
      return { end: 'done' }
    },
    async gaveUp() {},
  }
}

/** How long recordings wait for a failing engine before another one recognizes them from scratch. */
const patienceMs = 120_000

/** This process's engine, identified by name and model, which is how other nodes know it. */
class OwnEngine {
  readonly #platform: Platform
  readonly #engines: EngineChoice
  #since = 0

  constructor(platform: Platform, engines: EngineChoice) {
    this.#platform = platform
    this.#engines = engines
  }

  /** Checks again at each call. While there is none, the last known one remains. */
  async choose() {
    const { nodes, clock, config } = this.#platform
    const choice = await this.#engines.choose()
    const name = choice.engine === null ? nodes.hears : `${choice.name} ${config.recognizerModel ?? ''}`.trim()
    if (name !== nodes.hears) this.#since = clock()
    nodes.hears = name
    return choice
  }

  /**
   * Claims a recording for this engine, as one engine recognizes all of it: the first to begin. `nobodys`: no process
   * has that engine any more, so the recording must be recognized again.
   */
  async claim(fileId: string): Promise<'ours' | 'theirs' | 'nobodys'> {
    const { db, nodes, clock } = this.#platform
    const ofFile = db.updateTable('recognitions').where('file_id', '=', fileId)
    await ofFile.set({ engine: nodes.hears }).where('engine', 'is', null).execute()
    const row = await db
      .selectFrom('recognitions')
      .leftJoin('nodes', 'nodes.hears', 'recognitions.engine')
      .select(['engine', 'nodes.id as node'])
      .where('file_id', '=', fileId)
      .executeTakeFirst()
    if (row === undefined || row.engine === nodes.hears) return 'ours'
    return row.node !== null || clock() - this.#since < patienceMs ? 'theirs' : 'nobodys'
  }
}
