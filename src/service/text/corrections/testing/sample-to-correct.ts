import type { CorrectionChange, Patch } from '../../../../contract/account/corrections.ts'
import { endsTurn, type WordRecord, wordRecords } from '../../../../contract/interface/words.ts'
import { TextFingerprint } from '../../../../text/text-fingerprint.ts'
import type { AccountRoom } from '../../../testing/account-room.ts'
import { authorization } from '../../../testing/ask-api.ts'

export type Sample = { id: string; words: WordRecord[]; fingerprint: string; names: string[] }

export function fingerprintWords(words: readonly WordRecord[]): string {
  const fingerprint = new TextFingerprint()
  for (const word of words) fingerprint.add(`${word.word}${endsTurn(word) ? '\n' : ' '}`, [word.start])
  return fingerprint.toString()
}

/** A finished transcript of the room's account. */
export async function makeSample({ client, service, account }: AccountRoom): Promise<Sample> {
  const made = { seconds: 60, progress_percent: 100, name: 'Corrected' }
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', made)
  const words = wordRecords.parse(await (await service.fetch(account.key, `file/${id}.json`)).json())
  return { id, words, fingerprint: fingerprintWords(words), names: ['Speaker 1', 'Speaker 2'] }
}

/** A correction of one word. */
export function typed({ words }: Sample, at: number, text: string): Patch {
  const texts = words.map(({ word }) => word)
  const { start = 0, end = 0 } = words[at] ?? {}
  return {
    from: at,
    to: at + 1,
    startSeconds: start,
    old: texts.slice(at, at + 1),
    before: texts.slice(Math.max(0, at - 3), at),
    after: texts.slice(at + 1, at + 4),
    words: [{ text, start, end, conf: 1, endsTurn: false, speaker: 0, old: -1 }],
  }
}

export function makeChange(of: Sample, put: Patch[], other: Partial<CorrectionChange> = {}): CorrectionChange {
  const { fingerprint, names } = of
  return { fingerprint, baseNames: names, names, remove: [], put, label: 'Typing', ...other }
}

/** Posts a change below `files/:id/`. @param revision for `If-Match`; null: without it */
export function postChange(
  { service, account }: AccountRoom,
  path: string,
  revision: number | string | null,
  change: unknown,
  key = account.key,
): Promise<Response> {
  return fetch(`${service.address}/sandbox/account/files/${path}`, {
    method: 'POST',
    headers: {
      authorization: authorization(key),
      'content-type': 'application/json',
      ...(revision === null ? {} : { 'if-match': typeof revision === 'string' ? revision : `"${revision}"` }),
    },
    body: typeof change === 'string' ? change : JSON.stringify(change),
  })
}

/** Status and message of an error response. */
export async function refusal(answer: Response): Promise<[number, string]> {
  return [answer.status, ((await answer.json()) as { error: string }).error]
}
