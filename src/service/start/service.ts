import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { purgeLog } from '../accounts/audit-log/log-pages.ts'
import { purgeEvents, purgeTombstones } from '../accounts/events/purge-old.ts'
import { purgeDeliveries } from '../accounts/webhooks/deliveries.ts'
import { httpDispatch } from '../accounts/webhooks/http-dispatch.ts'
import { WebhookSender } from '../accounts/webhooks/sender.ts'
import { listen } from '../api/http/http-app.ts'
import type { Metrics } from '../api/http/metrics.ts'
import { expireUploads, removeUnknownUploads } from '../api/uploads/upload-store.ts'
import { eraseClosedAccounts, purgeLedger } from '../operations/closing/erase-account.ts'
import { expireExports } from '../operations/export/exports.ts'
import { makeExports } from '../operations/export/make-export.ts'
import { applyRestore, removeLeftWork } from '../operations/restore.ts'
import { expireSandboxFiles, purgeIdempotencyKeys, putOffLateOrders, removeOrphans } from '../orders/housekeeping.ts'
import { voidLeftCharges } from '../orders/money/charge.ts'
import { purgeFreeMinutes } from '../orders/money/free-minutes.ts'
import { requireRates } from '../orders/money/get-rates.ts'
import { writeMonthlyInvoices } from '../orders/money/invoices/write-invoices.ts'
import { failLateCharges } from '../orders/money/late-failures.ts'
import { forgetCardVisits } from '../orders/money/payment/card-visits.ts'
import { tellExpiringCards } from '../orders/money/payment/expiring-cards.ts'
import { LedgerPayment } from '../orders/money/payment/ledger-payment.ts'
import { openLivePayment } from '../orders/money/payment/open-live-payment.ts'
import { purgeQuotes } from '../orders/money/quotes.ts'
import { reconcileYesterday } from '../orders/money/reconcile-daily.ts'
import { settleRefunds } from '../orders/money/settle-refunds.ts'
import { settleWaitingTopUps } from '../orders/money/waiting-top-ups.ts'
import { actOnRules, removeRecordingJob } from '../orders/retention/act-on-rules.ts'
import type { Config } from '../platform/config.ts'
import { dataPaths, lockDataDirectory, makePrivate } from '../platform/data-directory.ts'
import { KeyUse } from '../platform/db/key-use.ts'
import { endNodeLeases } from '../platform/db/leases.ts'
import type { JobName } from '../platform/db/outbox.ts'
import { ReadLog } from '../platform/db/read-log.ts'
import { orFullDisk } from '../platform/full-disk.ts'
import { leftOverAfterMs } from '../platform/media/changed-before.ts'
import { findBlobs } from '../platform/media/open-blobs.ts'
import { Reserve } from '../platform/media/reserve.ts'
import { canLimitTools } from '../platform/media/tool-process.ts'
import { openGuard } from '../platform/net/outbound-guard.ts'
import type { Clock, Platform } from '../platform/platform.ts'
import { type Chore, startChores } from '../platform/queue/chores.ts'
import { type JobKind, Worker } from '../platform/queue/worker.ts'
import { ServiceError } from '../platform/service-error.ts'
import { explainError, StartError } from '../platform/start-error.ts'
import { openStore } from '../platform/store.ts'
import { createEngineChoice, type EngineChoice } from '../recognition/choose-engine.ts'
import { peaksJob, speechJob } from '../recognition/job.ts'
import { renderJob } from '../text/transcripts/render-transcript.ts'
import { expireVideos } from '../text/videos/captioned-videos.ts'
import { videoJob } from '../text/videos/video-job.ts'
import { partsJob } from '../workbench/make-parts.ts'
import { forecastLate } from '../workbench/manage.ts'
import { refundUnbegun } from '../workbench/refund-unbegun.ts'
import { releaseUnmanaged } from '../workbench/release-unmanaged.ts'
import { sandboxWorkJob } from '../workbench/sandbox-work.ts'
import { endStaleClaims } from '../workbench/stale-claims.ts'
import { startWaitingOrders } from '../workbench/start-waiting-orders.ts'
import { releaseJob } from '../workbench/steps.ts'
import { buildApp } from './app.ts'

export type Service = {
  platform: Platform
  app: FastifyInstance
  /** `http://127.0.0.1:4600`: the listening address, with the actual port */
  address: string
  /** port of the metrics endpoint; null if metrics are not served */
  metricsPort: number | null
  /** Runs all chores now; for tests that have moved the clock. */
  doChores(): Promise<void>
  /**
   * Shuts down. If nodes share the database, first reports not ready for `leavesForMs`. Finishes requests within
   * `graceMs`, stops jobs so that the next start resumes them, and releases the data directory. Does not wait for
   * external services.
   */
  close(): Promise<void>
}

/** Background work by job `kind`. */
function jobKinds(platform: Platform, engines: EngineChoice): Record<JobName, JobKind> {
  return {
    speech: speechJob(platform, engines),
    peaks: peaksJob(platform),
    type: sandboxWorkJob(platform),
    parts: partsJob(platform),
    release: releaseJob(platform),
    render: renderJob(platform),
    'remove-recording': removeRecordingJob(platform),
    'caption-track': videoJob(platform, 'soft'),
    'draw-captions': videoJob(platform, 'burnt'),
    'small-picture': videoJob(platform, 'picture'),
    shots: videoJob(platform, 'shots'),
  }
}

/** Scheduled tasks (cron). */
const chores: readonly Chore[] = [
  { name: 'expire-files', everyMs: 1_000, frees: true, run: expireSandboxFiles },
  { everyMs: 2_000, run: ({ keyUse, db }) => keyUse.write(db) },
  { everyMs: 2_000, run: ({ readLog, db }) => readLog.write(db) },
  { name: 'retention', everyMs: 20_000, atStart: true, frees: true, run: actOnRules },
  { name: 'late-failures', everyMs: 5_000, run: failLateCharges },
  { name: 'late-orders', everyMs: 10_000, run: putOffLateOrders },
  { name: 'unbegun-orders', everyMs: 60_000, atStart: true, run: refundUnbegun },
  { name: 'work-books', everyMs: 60_000, run: endStaleClaims },
  { name: 'unmanaged-orders', everyMs: 600_000, run: releaseUnmanaged },
  { name: 'late-forecast', everyMs: 60_000, run: forecastLate },
  { name: 'untyped-orders', everyMs: 60_000, atStart: true, run: startWaitingOrders },
  { name: 'refunds', everyMs: 60_000, run: settleRefunds },
  { name: 'invoices', everyMs: 60 * 60_000, atStart: true, run: writeMonthlyInvoices },
  { name: 'reconcile', everyMs: 60 * 60_000, atStart: true, run: reconcileYesterday },
  { name: 'waiting-top-ups', everyMs: 60_000, atStart: true, run: settleWaitingTopUps },
  { name: 'left-charges', everyMs: 60_000, atStart: true, run: voidLeftCharges },
  { name: 'idempotency', everyMs: 600_000, frees: true, run: purgeIdempotencyKeys },
  { name: 'events', everyMs: 600_000, frees: true, run: purgeEvents },
  { name: 'tombstones', everyMs: 600_000, frees: true, run: purgeTombstones },
  { name: 'account-log', everyMs: 600_000, frees: true, run: purgeLog },
  { name: 'deliveries', everyMs: 600_000, frees: true, run: purgeDeliveries },
  { name: 'uploads', everyMs: 600_000, frees: true, run: expireUploads },
  { name: 'captioned-videos', everyMs: 600_000, frees: true, run: expireVideos },
  { name: 'expiring-cards', everyMs: 6 * 60 * 60_000, atStart: true, run: tellExpiringCards },
  // Asked for by a request, which wakes it; by a command beside the service, somebody waits at a terminal.
  { name: 'exports', everyMs: 5_000, atStart: true, wakes: 'export', run: makeExports },
  { name: 'old-exports', everyMs: 60_000, frees: true, run: expireExports },
  { name: 'closed-accounts', everyMs: 60_000, atStart: true, frees: true, run: eraseClosedAccounts },
  { name: 'ledger', everyMs: 6 * 60 * 60_000, frees: true, run: purgeLedger },
  { name: 'free-minutes', everyMs: 600_000, frees: true, run: purgeFreeMinutes },
  { name: 'quotes', everyMs: 600_000, frees: true, run: purgeQuotes },
  { name: 'card-visits', everyMs: 600_000, frees: true, run: forgetCardVisits },
]

/** In a bucket, deletions need no reserved disk space. */
const room: Chore = { everyMs: 60_000, atStart: true, run: ({ reserve }) => reserve.keep() }

/** Backup and restore apply to embedded data only. */
const leftWork: Chore = { everyMs: 600_000, atStart: true, run: removeLeftWork }

/** Removes orphans of crashes if nodes share a directory. A single node does that at startup. */
const leftOvers: Chore = {
  name: 'left-overs',
  everyMs: 6 * 60 * 60_000,
  atStart: true,
  frees: true,
  run: (platform) => removeLeftOvers(platform, platform.clock() - leftOverAfterMs),
}

/** Null if they are not served: loading them takes longer than opening an embedded database. */
async function openMetrics(platform: Platform): Promise<Metrics | null> {
  if (platform.config.metricsPort === null) return null
  const { Metrics } = await import('../api/http/metrics.ts')
  return new Metrics(platform)
}

/**
 * Opens the resources that every folder uses. The caller holds the lock of the data directory.
 * @param signals see `Platform`
 * @throws StartError
 */
export async function openPlatform(
  config: Config,
  clock: Clock,
  log: Logger,
  signals: Pick<Platform, 'leaving' | 'ending'> = {
    leaving: new AbortController().signal,
    ending: new AbortController().signal,
  },
): Promise<Platform> {
  const paths = dataPaths(config.dataDir)
  try {
    const { place, open } = await findBlobs(config)
    const { close: closeStore, check: checkStore, ...store } = await openStore(config, place, log)
    return {
      config,
      ...store,
      checkStore,
      closeStore,
      keyUse: new KeyUse(),
      readLog: new ReadLog(),
      blobs: await open(),
      reserve: new Reserve(paths.reserve),
      payment: { sandbox: new LedgerPayment(), live: await openLivePayment(config.stripe, store.db) },
      guard: openGuard(config.allowTargets),
      clock,
      log,
      ...signals,
    }
  } catch (error) {
    const shown = await orFullDisk(error, config.dataDir)
    if (shown instanceof StartError) throw shown
    const reason = explainError(error)
    throw new StartError(`The data directory ${config.dataDir} is damaged or cannot be used: ${reason}.`, {
      cause: error,
    })
  }
}

async function removeLeftOvers(platform: Platform, changedBefore: number): Promise<void> {
  await removeOrphans(platform, changedBefore)
  await removeUnknownUploads(platform, changedBefore)
}

/** Cleans up after a crash or a restore, and resumes jobs that this node had claimed. */
async function recoverFromCrash(platform: Platform): Promise<void> {
  await endNodeLeases(platform.db, platform.node)
  await removeLeftOvers(platform, Number.POSITIVE_INFINITY)
}

function listChores({ postgres, s3 }: Config): Chore[] {
  return [...chores, ...(s3 === null ? [room] : []), postgres === null ? leftWork : leftOvers]
}

/** Starts job and webhook workers. @returns a function that stops both */
function startWork(platform: Platform, engines: EngineChoice): (() => Promise<unknown>)[] {
  const worker = new Worker(platform, jobKinds(platform, engines))
  const sender = new WebhookSender(platform, httpDispatch(platform.guard))
  sender.start()
  return [() => worker.close(), () => sender.stop()]
}

/** Cleanup functions for the resources of `openPlatform`, in reverse order. */
function storeEnds({ closeStore, guard, readLog, db }: Platform): (() => unknown)[] {
  return [closeStore, () => guard.close(), () => readLog.write(db)]
}

/** `monotonic`: the clock of rate limits, in milliseconds; defaults to the real one. */
type Surroundings = { clock: Clock; log: Logger; monotonic?: Clock | undefined }

/**
 * Starts the service on a data directory.
 * @throws StartError if the directory is in use or damaged, or the port is taken
 */
export async function startService(config: Config, { clock, log, monotonic }: Surroundings): Promise<Service> {
  // With PostgreSQL, several nodes share the directory of the recordings.
  const isEmbedded = config.postgres === null
  const unlock = isEmbedded ? lockDataDirectory(config.dataDir) : () => undefined
  const [leaving, ending] = [new AbortController(), new AbortController()]
  const closing: (() => unknown)[] = [unlock]
  /** stop functions of everything running, called all at once */
  const working: (() => Promise<unknown>)[] = []
  const close = async () => {
    leaving.abort()
    const grace = setTimeout(() => ending.abort(serviceEnds()), config.graceMs)
    for (const step of closing.splice(0).reverse()) await step()
    clearTimeout(grace)
  }
  try {
    if (isEmbedded) makePrivate(config.dataDir, log)
    if (isEmbedded) applyRestore(config.dataDir, clock())
    const platform = await openPlatform(config, clock, log, { leaving: leaving.signal, ending: ending.signal })
    closing.push(...storeEnds(platform))
    await requireRates(platform)
    if (isEmbedded) await recoverFromCrash(platform)
    const metrics = await openMetrics(platform)
    const engines = createEngineChoice(config, log)
    await platform.nodes.describedBy(() => engines.describe())
    closing.push(
      () => engines.close(),
      () => Promise.all(working.map((end) => end())),
    )
    const app = await buildApp(platform, metrics, monotonic)
    working.push(() => app.close())
    const address = await listen(app, config)
    // For `doctor`, which may not know the port.
    if (isEmbedded) writeFileSync(dataPaths(config.dataDir).address, address)
    if (config.role !== 'api') working.push(...startWork(platform, engines))
    const running = startChores(platform, listChores(config))
    working.push(() => running.close())
    const metricsPort = (await metrics?.serve()) ?? null
    if (metrics !== null) closing.push(() => metrics.close())
    if (!isEmbedded) closing.push(() => wait(config.leavesForMs))
    if (config.stripe?.isTest)
      log.warn('Stripe is in its test mode: live accounts pay with test cards, and no money moves')
    if (!canLimitTools()) log.warn('prlimit is not installed: the memory of ffmpeg and ffprobe is not limited')
    return { platform, app, address, metricsPort, doChores: () => running.runAll(), close }
  } catch (error) {
    await close()
    throw error
  }
}

function serviceEnds(): ServiceError {
  const words = 'The service is restarting and did not finish your request. Try again in a moment.'
  return new ServiceError(503, words, { 'retry-after': '10', connection: 'close' })
}
