import { sql } from 'kysely'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { startFakeRecognizer } from '../../../src/service/recognition/testing/fake-recognizer.ts'
import { makeSpokenPieces } from '../../../src/service/recognition/testing/made-speech.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import type { Bench, Measurement } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { Nodes } from './nodes.ts'
import { comesTrue, insist, longest, newKey, Tally, timed } from './rounds.ts'

const giant = unlessShort(10_000, 200)
const others = unlessShort(200, 20)
/** Latest acceptable position of the others' last job among all claims. */
const withinClaims = 2 * others * 1.2
const goesOnWithinMs = 70_000

type Claim = { job: string; account: string; early: boolean }

/** Makes the database itself log each claim, and whether the previous lease was still alive. */
async function noteClaims({ db }: Nodes): Promise<void> {
  const statements = [
    `create table claims (seq bigserial primary key, job text, account text, early boolean)`,
    `create function note_claim() returns trigger language plpgsql as $$ begin
      insert into claims (job, account, early)
        values (new.id, new.account_id, old.state = 'running' and old.leased_until >= parley_now());
      return new; end $$`,
    `create trigger claimed after update on jobs for each row when (new.fence > old.fence) execute function note_claim()`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function claimsOf({ db }: Nodes): Promise<Claim[]> {
  return (await sql<Claim>`select job, account, early from claims order by seq`.execute(db)).rows
}

/** One account with thousands of jobs alongside many with two each. Jobs without a file, which end at once. */
async function crowd(nodes: Nodes): Promise<Tally[]> {
  const [fair, once] = [new Tally('jobs of small accounts claimed in time'), new Tally('jobs claimed once')]
  const owners: string[] = []
  for (let made = 0; made <= others; made += 1) {
    owners.push((await createAccount(nodes.db, { environment: 'sandbox', name: `Jobs ${made}` }, Date.now())).accountId)
  }
  const [big, ...small] = owners
  await nodes.db.transaction().execute(async (trx) => {
    const add = (account: string | undefined, count: number) =>
      sql`
      insert into jobs (id, kind, file_id, account_id, state, run_after, attempts, payload_json, created_at)
        select ${account} || '-' || n, 'type', null, ${account}, 'waiting', 0, 0, '{}', n
        from generate_series(1, ${count}::int) as n`.execute(trx)
    await add(big, giant)
    for (const account of small) await add(account, 2)
  })
  const left = () => nodes.db.selectFrom('jobs').select('id').where('kind', '=', 'type').executeTakeFirst()
  once.count(await comesTrue(async () => (await left()) === undefined, 600_000), 'jobs stand still')
  const claims = (await claimsOf(nodes)).filter(({ account }) => owners.includes(account))
  const places = claims.flatMap(({ account }, index) => (account === big ? [] : [index]))
  for (const place of places) fair.count(place < withinClaims, `claim ${place + 1}`)
  fair.count(places.length === 2 * others, `${places.length} claims of ${2 * others} jobs`)
  once.count(claims.length === giant + 2 * others, `${claims.length} claims of ${giant + 2 * others} jobs`)
  for (const { job, early } of claims) once.count(!early, `${job} was claimed while its lease lived`)
  return [fair, once]
}

/** Kills a node during recognition; nodes that start in the meantime take over. */
async function death(nodes: Nodes): Promise<Measurement[]> {
  const tally = new Tally('jobs of a killed node that went on')
  const key = await newKey(nodes.first, 'sandbox')
  const init = () => ({ method: 'POST', body: fileForm(makeSpokenPieces(1)) })
  await insist(() => askApi(nodes.first.url, key, 'files?transcript_type=automated', init()), [201])
  const running = async () => {
    const jobs = nodes.db.selectFrom('jobs').select(['id', 'node']).where('kind', '=', 'speech')
    return await jobs.where('state', '=', 'running').executeTakeFirst()
  }
  tally.count(await comesTrue(async () => (await running()) !== undefined, 60_000), 'it was not begun')
  const begun = await running()
  await nodes.add()
  await nodes.add()
  await nodes.first.kill()
  await nodes.endLeases()
  const goesOn = async () => {
    const now = await running()
    return now !== undefined && now.node !== begun?.node
  }
  const tookMs = await timed(async () => tally.count(await comesTrue(goesOn, goesOnWithinMs), 'it stands still'))
  await nodes.first.boot()
  return [...tally.rows(), longest('from the kill of a node to the next claim of its job', [tookMs], goesOnWithinMs)]
}

/** Jobs of three nodes: fair between accounts, none run twice, none lost. */
export const tortureNodeQueue: Bench = async () => {
  const recognizer = await startFakeRecognizer()
  recognizer.before = () => 'hang'
  const nodes = await Nodes.start(1, { RECOGNIZER: 'http', RECOGNIZER_URL: recognizer.url.href })
  try {
    await noteClaims(nodes)
    const died = await death(nodes)
    const tallies = await crowd(nodes)
    return [...tallies.flatMap((tally) => tally.rows()), ...died]
  } finally {
    await nodes.remove()
    await recognizer.close()
  }
}
