import { Readable } from 'node:stream'
import type { CorrectionChange } from '../../../contract/account/corrections.ts'
import type { Claim, DeskPart } from '../../../contract/work/parts.ts'
import { claimHeader } from '../../../contract/work/parts.ts'
import { type StaffRole, workBasePath } from '../../../contract/work/staff.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { waitForTypists } from '../../orders/file/progress.ts'
import { authorization } from '../../testing/ask-api.ts'
import type { TestAccount, TestService } from '../../testing/test-service.ts'
import { storedWordsJson } from '../../text/transcripts/stored-words.ts'
import { addStaff } from '../staff.ts'

/** Test client: a staff member with their key. */
export type Worker = {
  id: string
  key: string
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** sends a request that must succeed, and returns its body */
  read<Body>(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Body>
  /** claims a part, or the next one */
  take(part?: string | null): Promise<Claim>
  /** plays all of a held part, changes enough of an untouched one to have typed it, ticks everything off, and submits it */
  finish(claim: Claim): Promise<void>
}

export const withClaim = ({ claim }: Pick<Claim, 'claim'>) => ({ [claimHeader]: String(claim) })

export async function hire(kit: TestService, role: StaffRole, name = 'Ann'): Promise<Worker> {
  const { id, key } = await addStaff(kit.platform.db, { name, role }, kit.platform.clock())
  const worker: Worker = {
    id,
    key,
    ask: (method, path, body, headers) =>
      fetch(new URL(workBasePath + path, kit.address), {
        method,
        headers: {
          authorization: authorization(key),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async read<Body>(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) {
      const answer = await worker.ask(method, path, body, headers)
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (answer.status === 204 ? undefined : await answer.json()) as Body
    },
    take: (part = null) => worker.read<Claim>('POST', 'claims', { part }),
    async finish(claim) {
      const headers = withClaim(claim)
      const { part, sheet, words } = await worker.read<DeskPart>('GET', `parts/${claim.part}`, undefined, headers)
      await worker.read('POST', `parts/${claim.part}/hold`, { heard: [[part.start, part.end]] }, headers)
      const path = `parts/${claim.part}/corrections`
      const { revision: before } = await worker.read<{ revision: number }>('GET', path, undefined, headers)
      const isUntouched = part.step === 'type' && (before === 0 || part.rework.length > 0)
      const revision = isUntouched && words.length > 0 ? await typeSome(worker, claim, words, before) : before
      const done = { revision, ticked: sheet.map(({ id }) => id) }
      await worker.read('POST', `parts/${claim.part}/submit`, done, headers)
    },
  }
  return worker
}

/** Test helper: a part as its holder reads it. */
export const openDesk = (worker: Worker, claim: Claim) =>
  worker.read<DeskPart>('GET', `parts/${claim.part}`, undefined, withClaim(claim))

/** Test helper: replaces some of a part's words. */
export async function type(worker: Worker, claim: Claim, from: number, to: number, text: string[], revision = 0) {
  const { fingerprint, words, names } = await openDesk(worker, claim)
  const old = words.slice(from, to).map(({ word }) => word)
  const at = words[from]?.start ?? 0
  const put = text.map((each, index) => ({
    text: each,
    start: at + index,
    end: at + index + 1,
    conf: null,
    endsTurn: false,
    speaker: names.length === 0 ? -1 : 0,
    old: -1,
  }))
  const patch = { from, to, startSeconds: at, old, before: [], after: [], words: put }
  const change: CorrectionChange = { fingerprint, baseNames: names, names, remove: [], put: [patch], label: 'Typing' }
  const headers = { ...withClaim(claim), 'if-match': `"${revision}"` }
  return await worker.ask('POST', `parts/${claim.part}/corrections`, change, headers)
}

/**
 * Adds full stops to as many words as a typist changes at least: the last ones of an untouched part, else one that was
 * not changed yet. @returns the revision
 */
async function typeSome(worker: Worker, claim: Claim, words: DeskPart['words'], revision: number): Promise<number> {
  const from = revision === 0 ? words.length - Math.ceil(words.length / 50) : 10 + revision
  const to = revision === 0 ? words.length : from + 1
  const typed = words.slice(from, to).map(({ word }) => `${word}.`)
  const answer = await type(worker, claim, from, to, typed, revision)
  if (!answer.ok) throw new Error(`Typing was answered ${answer.status}: ${await answer.text()}`)
  return revision + 1
}

/** Test helper: words of two alternating voices, two seconds each. */
function spokenWords(seconds: number): StoredWord[] {
  return Array.from({ length: Math.floor(seconds / 2) }, (_, index): StoredWord => {
    const speaker = Math.floor(index / 20) % 2
    const isLast = index % 20 === 19
    return {
      ...{ word: `Word${index}`, start: index * 2, end: index * 2 + 1, duration: 1, conf: 0.9 },
      ...(isLast && { turn: true, turn_conf: 1 }),
      speaker,
    }
  })
}

/**
 * Test fixture: a live manual order with recognized words, cut into parts. Needs a typist.
 * @returns its ID, once the parts exist
 */
export async function typedOrder(kit: TestService, account: TestAccount, seconds: number, query = ''): Promise<string> {
  const { id } = await kit.order(account.key, await kit.tone(seconds), query)
  const { db, blobs } = kit.platform
  await db.deleteFrom('jobs').where('file_id', '=', id).where('kind', '=', 'speech').execute()
  await blobs.write(id, 'words.json', Readable.from(storedWordsJson(spokenWords(seconds))))
  await waitForTypists(kit.platform, id)
  const parts = () => db.selectFrom('work_parts').select('id').where('file_id', '=', id).executeTakeFirst()
  await kit.until(parts)
  return id
}
