import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { type Bench, type Measurement, median, percentile } from './measurement.ts'
import { unlessShort } from './short.ts'

const entries = unlessShort(100_000, 1_000)
const rounds = unlessShort(15, 1)
const goal = { atMost: 100 }

/** Inserts two years of entries into an account's ledger, without ordering. */
function fill(dataDir: string, accountId: string): void {
  const sqlite = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 5_000 })
  const insert = sqlite.prepare(
    `insert into ledger (account_id, kind, transaction_id, file_id, file_name, transcript_type, duration_ms, amount_cents,
     currency, progress_percent, created_at, due_at, status, via) values (?, ?, ?, ?, ?, ?, ?, ?, 'USD', ?, ?, ?, 'settled', 'direct')`,
  )
  const start = Date.now() - 730 * 86_400_000
  sqlite.exec('begin')
  for (let n = 0; n < entries; n += 1) {
    const refund = n % 20 === 19
    const at = start + Math.floor((n / entries) * 730 * 86_400_000)
    const type = n % 3 === 0 ? 'automated' : 'manual'
    const [kind, cents] = refund ? (['refund', -250] as const) : (['charge', 1_250 + (n % 100)] as const)
    insert.run(accountId, kind, `tx_${n}`, `f${n}`, `Recording ${n}`, type, 600_000, cents, refund ? 80 : null, at, at)
  }
  sqlite.exec('commit')
  sqlite.close()
}

/** Milliseconds of each of several requests, after a warm-up. */
async function timed(ask: () => Promise<unknown>): Promise<number[]> {
  await ask()
  const timesMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    await ask()
    timesMs.push(performance.now() - startedMs)
  }
  return timesMs
}

/** The usage page of an account with 100,000 entries in its ledger. */
export const benchLedger: Bench = async () => {
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1' })
  try {
    const { account, key } = await service.createAccount('sandbox')
    fill(service.dataDir, account)
    const asked: [string, string][] = [
      ['usage', 'usage'],
      ['first page', 'ledger?limit=100'],
      ['page in the middle', `ledger?limit=100&cursor=${Date.now() - 365 * 86_400_000}-50000`],
      ['refunds of a year', `ledger?kind=refund&from=${new Date(Date.now() - 365 * 86_400_000).toISOString()}`],
      ['search', 'ledger?search=Recording%2077'],
    ]
    const measured: Measurement[] = []
    for (const [what, path] of asked) {
      const timesMs = await timed(() => accountClient(service.url, key).read('GET', path))
      measured.push({ what: `${what}, median`, value: median(timesMs), unit: 'ms', goal })
      measured.push({ what: `${what}, p95`, value: percentile(timesMs, 0.95), unit: 'ms' })
    }
    return measured
  } finally {
    await service.remove()
  }
}
