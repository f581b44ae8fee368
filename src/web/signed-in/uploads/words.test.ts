import { describe, expect, it } from 'vitest'
import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { countBatch, sentPercent } from './batch.ts'
import { sentText, timeLeftText } from './dock/transfer-text.ts'
import { findExisting, isSameOrder, nameWithoutExtension } from './queue/existing-file.ts'
import { failureWords, findRemedy, type UploadFailure } from './queue/upload-failure.ts'
import { directLink, linkName, readLinks } from './tray/links.ts'
import { isRetryable, type Upload } from './tray/upload.ts'

const orderedAt = Date.parse('2026-11-21T12:00:00Z')
const upload: Upload = {
  id: 'a',
  owner: { environment: 'live', account: 'a' },
  source: { kind: 'file', file: null, handle: null, lastModified: 0, recordedMs: null },
  name: 'Interview 08.final.m4a',
  bytes: 1_000,
  addedAt: 0,
  inspection: null,
  overrides: {},
  agreement: { options: specDefaultOptions, query: '', totalCents: null, batch: 'b1', currency: 'USD', at: orderedAt },
  state: { is: 'draft' },
  resumeUrl: null,
  unclearSince: null,
  idsBefore: ['old'],
}

const metadata = (change: Partial<FileMetadata> = {}): FileMetadata => ({
  name: 'Interview 08.final',
  created: '2026-11-21T12:03:00Z',
  seconds: '60',
  bytes: '1000',
  cost: '1.25',
  discount: '0.00',
  total: 1.25,
  transaction_id: 't',
  refund_amount: '0.00',
  currency: 'USD',
  delivery: '2026-11-24T12:00:00Z',
  delay_reason: null,
  duplicates: null,
  options: specDefaultOptions,
  progress_percent: 0,
  ...change,
})

describe('a batch', () => {
  const record = (id: string, change: Partial<FileMetadata> = {}) =>
    ({ id, batch: 'b1', metadata: metadata(change) }) as FileRecord
  const ordered = (id: string): Upload => ({ ...upload, id, state: { is: 'ordered', fileId: id } })
  const count = (records: FileRecord[], uploads: Upload[], ...deleted: string[]) =>
    countBatch({ records, deleted: new Set(deleted) }, uploads, 'b1')

  it('counts a deleted file no longer, and one that is ordered but not yet listed', () => {
    const uploads = ['1', '2', '3'].map(ordered)
    expect(count([record('1')], uploads, '2')).toMatchObject({ sent: 2, unsent: 0 })
  })

  it('counts an order once whose response was lost, as long as its upload is retried or failed', () => {
    const lost: Upload = { ...upload, id: '2', state: { is: 'waiting', hold: 'retry' }, unclearSince: 1 }
    const uploads = [ordered('1'), lost]
    expect(count([record('1'), record('2')], uploads)).toMatchObject({ sent: 2, unsent: 0 })
    expect(count([record('1'), record('other', { bytes: '5' })], uploads)).toMatchObject({ sent: 2, unsent: 1 })
    // The only file of this name is that of the first upload.
    expect(count([record('1')], uploads)).toMatchObject({ sent: 1, unsent: 1 })
    const failed: Upload = { ...lost, state: { is: 'failed', failure: { kind: 'unclear' } } }
    expect(count([record('1'), record('2')], [ordered('1'), failed])).toMatchObject({ unsent: 0, failed: 0 })
    const twin: Upload = { ...lost, agreement: upload.agreement && { ...upload.agreement, hasTwin: true } }
    expect(count([record('1'), record('2')], [ordered('1'), twin])).toMatchObject({ sent: 2, unsent: 1 })
  })

  it('counts bytes that the service holds while an upload waits', () => {
    const half: Upload = { ...upload, id: '2', state: { is: 'waiting', hold: 'file-needed' }, heldBytes: 500 }
    expect(sentPercent(count([record('1')], [half]))).toBe(75)
  })
})

describe('a file that may be the upload whose response was lost', () => {
  it('has its name, its size and was created since', () => {
    expect(isSameOrder(upload, metadata())).toBe(true)
    expect(isSameOrder(upload, metadata({ name: 'Interview 08' }))).toBe(false)
    expect(isSameOrder(upload, metadata({ bytes: '1001' }))).toBe(false)
    expect(isSameOrder(upload, metadata({ created: '2026-11-21T11:00:00Z' }))).toBe(false)
  })

  it('is searched only among the account’s new files', async () => {
    const asked: string[] = []
    const read = async (id: string) => {
      asked.push(id)
      return metadata(id === 'other' ? { bytes: '5' } : {})
    }
    expect(await findExisting(upload, ['old', 'other', 'new'], read)).toMatchObject({ fileId: 'new', total: 1.25 })
    expect(asked).toEqual(['other', 'new'])
    expect(await findExisting(upload, ['old'], read)).toBeNull()
  })

  it('has its name without the last ending alone', () => {
    expect(['a.b.mp3', '.hidden', 'plain'].map(nameWithoutExtension)).toEqual(['a.b', '.hidden', 'plain'])
  })
})

describe('uploads that “retry all” includes', () => {
  it('are those that may succeed, not those that would be refused again or need a decision', () => {
    const failures: UploadFailure[] = [
      { kind: 'dropped', sentBytes: 5 },
      { kind: 'unclear' },
      { kind: 'refused', status: 503, message: '' },
      { kind: 'refused', status: 413, message: '' },
      { kind: 'refused', status: 415, message: '' },
      { kind: 'found', fileId: 'f', created: '2026-11-21T12:00:00Z', total: 1 },
      { kind: 'file-changed' },
    ]
    const tried = failures.filter((failure) => isRetryable({ ...upload, state: { is: 'failed', failure } }))
    expect(tried.map(({ kind }) => kind)).toEqual(['dropped', 'unclear', 'refused'])
    expect(isRetryable(upload)).toBe(false)
  })
})

describe('links', () => {
  it.each([
    [
      'https://www.dropbox.com/scl/fi/a1/talk.mp3?rlkey=k&dl=0',
      'https://www.dropbox.com/scl/fi/a1/talk.mp3?rlkey=k&dl=1',
    ],
    ['https://www.dropbox.com/s/a1/talk.mp3', 'https://www.dropbox.com/s/a1/talk.mp3?dl=1'],
    ['https://www.dropbox.com/s/a1/talk.mp3?dl=1', null],
    ['https://dl.dropboxusercontent.com/s/a1/talk.mp3', null],
    [
      'https://drive.google.com/file/d/1a-B_c/view?usp=sharing',
      'https://drive.google.com/uc?export=download&id=1a-B_c',
    ],
    ['https://drive.google.com/open?id=1a', 'https://drive.google.com/uc?export=download&id=1a'],
    ['https://drive.google.com/drive/folders/1a', null],
    ['https://notdropbox.com/s/a1/talk.mp3', null],
  ])('finds the recording behind %s', (link, direct) => expect(directLink(link)).toBe(direct))

  it('are read from any text, without duplicates', () => {
    expect(readLinks(' https://a.example/x.mp3\nhttp://b.example/ https://a.example/x.mp3 ftp://c word')).toEqual({
      links: ['https://a.example/x.mp3', 'http://b.example/'],
      rest: ['ftp://c', 'word'],
    })
  })

  it('have a readable name', () => {
    expect(linkName('https://a.example/talks/My%20talk.mp3?x=1')).toBe('My talk.mp3')
    expect(linkName('https://a.example/%E0%A4%A')).toBe('%E0%A4%A')
    expect(linkName('https://a.example/')).toBe('a.example')
  })
})

describe('words', () => {
  it('say what happened, what it cost and what to do', () => {
    const dropped = { kind: 'dropped', sentBytes: 212_000_000 } as const
    expect(failureWords(dropped)).toBe('The connection dropped at 212 MB. Nothing was charged.')
    expect(findRemedy(dropped)).toBe('retry')
    const listed = 'The content is not supported. Supported file types: mp3, wav, opus.'
    expect(failureWords({ kind: 'refused', status: 415, message: listed })).toBe(
      'The content is not supported. It may be damaged. Nothing was charged.',
    )
    expect(failureWords({ kind: 'refused', status: 400, message: 'No sound track' })).toBe(
      'No sound track. Nothing was charged.',
    )
    expect(findRemedy({ kind: 'refused', status: 415, message: '' })).toBe('none')
  })

  it('ask for the true price of a recording that costs more than the page said', () => {
    const question = {
      kind: 'dearer',
      totalCents: 5000,
      durationMs: 1_000_000,
      limitCents: 50,
      currency: 'USD',
    } as const
    expect(failureWords({ ...question, shownMs: 10_000 })).toBe(
      'This recording is 16:40 long, not 0:10: $50.00 instead of $0.50. Nothing was charged.',
    )
    expect(failureWords({ ...question, shownMs: null })).toBe(
      'This recording is 16:40 long: $50.00, above the limit of $0.50. Nothing was charged.',
    )
    expect(failureWords({ ...question, limitCents: 4999, shownMs: 999_900 })).toBe(
      'This recording costs $50.00, not $49.99. Nothing was charged.',
    )
    expect(findRemedy({ ...question, shownMs: null })).toBe('decide')
  })

  it('never claim that nothing was charged if that is not known', () => {
    expect(failureWords({ kind: 'unclear' })).not.toMatch(/nothing was charged/i)
  })

  it('show bytes and time without flicker', () => {
    expect(sentText(6_100_000_000, 9_400_000_000)).toBe('6.1 of 9.4 GB')
    expect(sentText(900_000, 9_400_000_000)).toBe('900 kB of 9.4 GB')
    expect([3, 12, 54, 61, 3_700].map(timeLeftText)).toEqual([
      'a few seconds left',
      '15 s left',
      '55 s left',
      '1 min left',
      '1 h 2 min left',
    ])
  })
})
