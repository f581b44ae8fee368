import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isValueOption,
  listValues,
  type OrderOptions,
  optionNames,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'
import { orderQuery, parseOptions } from '../../../contract/interface/order-options.ts'
import { defaultRates } from '../../../contract/interface/price.ts'
import { differences } from '../../signed-in/options/option-words.ts'
import { type PriceBook, quote, sumQuotes } from '../../signed-in/options/price-book.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import { buildCurl, shellQuote } from './curl.ts'
import { priceTray, summarize } from './priced-tray.ts'
import { shareFreeMinutes } from './share-free-minutes.ts'

const book: PriceBook = { kind: 'rates', rates: defaultRates, discountPercent: 0, currency: 'USD' }

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((value) => value.trim())
const name = text.map((value) => value.replaceAll(/[\s,]+/g, ' ').trim()).filter((value) => value !== '')
/** Any options; omits custom formatting, as its details remain even if nobody orders it. */
const anyOptions = fc.record(
  Object.fromEntries(
    optionNames.map((option) => {
      if (option.startsWith('custom_formatting')) return [option, fc.constant(specDefaultOptions[option])]
      if (isValueOption(option)) return [option, fc.constantFrom<string>(...listValues(option))]
      return [option, option === 'speaker_names' ? fc.uniqueArray(name, { maxLength: 4 }) : text]
    }),
  ),
) as unknown as fc.Arbitrary<OrderOptions>

/** The options that the service reads from a query. */
function ordered(query: string, defaults: OrderOptions): OrderOptions {
  return { ...defaults, ...parseOptions(new URLSearchParams(query)) }
}

describe('the query of an order', () => {
  it('asks for exactly what the form shows, whatever the account defaults are', () => {
    fc.assert(
      fc.property(anyOptions, anyOptions, (options, defaults) => {
        const got = ordered(orderQuery(options, defaults), defaults)
        if (options.transcript_type === 'automated') expect(got.transcript_type).toBe('automated')
        else expect(got).toEqual(options)
      }),
    )
  })

  it('names custom formatting only if it is wanted, or was by default', () => {
    const custom = { ...specDefaultOptions, custom_formatting: 'yes', custom_formatting_details: 'Blue ink' } as const
    const queried = (options: OrderOptions, defaults: OrderOptions) =>
      [...new URLSearchParams(orderQuery(options, defaults))].filter(([option]) => option.startsWith('custom'))
    const isYes = ['custom_formatting', 'yes']
    expect(queried(custom, specDefaultOptions)).toEqual([isYes, ['custom_formatting_details', 'Blue ink']])
    expect(queried({ ...custom, custom_formatting_details: '' }, custom)).toEqual([
      isYes,
      ['custom_formatting_details', ''],
    ])
    expect(queried(specDefaultOptions, custom)).toEqual([['custom_formatting', 'no']])
    expect(queried({ ...custom, custom_formatting: 'no' }, specDefaultOptions)).toEqual([])
  })
})

function upload(id: string, change: Partial<Upload> = {}): Upload {
  return {
    id,
    owner: { environment: 'live', account: 'a' },
    source: { kind: 'file', file: new Blob(['x']), handle: null, lastModified: 0, recordedMs: null },
    name: `${id}.mp3`,
    bytes: 1_000_000,
    addedAt: 0,
    inspection: {
      format: 'mp3',
      kind: 'audio',
      durationMs: 60_000,
      hasSound: true,
      fingerprint: id,
      unreadable: false,
    },
    overrides: {},
    agreement: null,
    state: { is: 'draft' },
    resumeUrl: null,
    unclearSince: null,
    idsBefore: null,
    ...change,
  }
}

const nothingKnown = () => null

describe('the tray', () => {
  it('prices each upload by its own options and skips bad uploads', () => {
    const tray = [
      upload('a'),
      upload('b', { overrides: { transcript_type: 'automated' } }),
      upload('c', { inspection: { ...inspectionOf('a'), format: null } }),
    ]
    const priced = priceTray(tray, [], specDefaultOptions, book, nothingKnown)
    expect(priced.map(({ price }) => price?.cents ?? null)).toEqual([125, 10, null])
    expect(priced[1]?.differences).toEqual(['Automated'])
    const { ready, leftOut, total } = summarize(priced)
    expect(ready.map((row) => row.upload.id)).toEqual(['a', 'b'])
    expect(leftOut).toContain('c')
    expect(total.cents).toBe(135)
  })

  it('warns of the second of two with the same content, not of the first', () => {
    const tray = [upload('a'), upload('b', { inspection: { ...inspectionOf('a') } })]
    const [, second] = priceTray(tray, [], specDefaultOptions, book, nothingKnown, false, new Map([['a b', true]]))
    expect([second?.verdict.text, second?.isLeftOut]).toEqual(['Same recording as “a.mp3”', true])
  })

  it('leaves out nothing because of its beginning and end: it waits for all bytes, and orders what differs', () => {
    const likeness = inspectionOf('a')
    const tray = ['a', 'b', 'c'].map((id) => upload(id, { inspection: likeness }))
    const judge = (pairs: [string, boolean | number | null][]) => {
      const rows = priceTray(tray, [], specDefaultOptions, book, nothingKnown, false, new Map(pairs))
      return { texts: rows.map(({ verdict }) => verdict.text), ...summarize(rows) }
    }
    const comparing = judge([
      ['a b', false],
      ['a c', 0.4],
    ])
    expect(comparing.texts).toEqual([null, null, 'May be the same as “a.mp3”: comparing… 40%'])
    expect([comparing.ready.length, comparing.reading]).toEqual([2, 1])
    const apart = judge([
      ['a b', false],
      ['a c', false],
      ['b c', false],
    ])
    expect([apart.texts, apart.ready.length]).toEqual([[null, null, null], 3])
    const twins = judge([
      ['a b', false],
      ['a c', false],
      ['b c', true],
    ])
    expect([twins.texts[2], twins.leftOut]).toEqual(['Same recording as “b.mp3”', ['c']])
    // A file that cannot be read again is ordered, with a word.
    const unknown = judge([
      ['a b', null],
      ['a c', false],
    ])
    expect([unknown.texts[1], unknown.ready.length]).toEqual(['May be the same recording as “a.mp3”', 3])
  })

  it('mentions a recording of the same name and length in another format, and orders it', () => {
    const likely = (id: string, name: string, changes: object) =>
      upload(id, { name, inspection: { ...inspectionOf(id), durationMs: 60_000, ...changes } })
    const tray = [
      likely('a', 'Talk.wav', { format: 'wav' }),
      likely('b', 'talk.mp3', { format: 'mp3', durationMs: 60_052 }),
      likely('c', 'talk.ogg', { format: 'ogg', durationMs: 61_000 }),
      likely('d', 'talk.wav', { format: 'wav' }),
      likely('e', 'other.mp3', { format: 'mp3' }),
    ]
    const rows = priceTray(tray, [], specDefaultOptions, book, nothingKnown)
    const texts = ['Talk.wav', 'talk.mp3'].map((name) => `Same name and length as “${name}”: perhaps the same sound`)
    expect(rows.map(({ verdict }) => verdict.text)).toEqual([null, texts[0], null, texts[1], null])
    expect(summarize(rows).ready.length).toBe(5)
  })

  it('warns of recordings already being sent, failed, or just ordered', () => {
    const states: Upload['state'][] = [
      { is: 'waiting', hold: 'turn' },
      { is: 'failed', failure: { kind: 'unclear' } },
      { is: 'ordered', fileId: 'f1' },
    ]
    const texts = states.map((state) => {
      const first = upload('a', { name: 'First.mp3', state })
      const again = upload('b', { inspection: inspectionOf('a') })
      const same = new Map([['a b', true]])
      return priceTray([again], [first], specDefaultOptions, book, nothingKnown, false, same)[0]?.verdict.text
    })
    expect(texts).toEqual([
      'Same recording as “First.mp3”, which is already uploading',
      'Same recording as “First.mp3”, whose upload failed: retry that one',
      'Same recording as “First.mp3”, ordered just now',
    ])
  })

  it('orders nothing anew that an earlier order waits for, and continues that one only if asked to', () => {
    const lost = upload('a', { state: { is: 'waiting', hold: 'file-needed' } })
    const source = lost.source.kind === 'file' ? { ...lost.source, file: null } : lost.source
    const agreement = { batch: 'b1' } as Upload['agreement']
    const first: Upload = { ...lost, source, agreement }
    const again = upload('b', { inspection: inspectionOf('a') })
    const [row] = priceTray([again], [first], specDefaultOptions, book, nothingKnown)
    expect(row?.verdict).toEqual({
      level: 'twin',
      text: 'An earlier order waits for this recording',
      continues: first,
    })
    expect(summarize(row === undefined ? [] : [row])).toMatchObject({ ready: [], total: { cents: 0 } })
  })

  it('skips recordings that are on the account, or look like it, unless they are wanted', () => {
    const known = { name: 'Interview', ordered: '12 Nov' }
    const find = ({ id }: Upload) => (id === 'new' ? null : { ...known, isSame: id === 'same' })
    const tray = [upload('same'), upload('alike'), upload('new')]
    const rows = priceTray(tray, [], specDefaultOptions, book, find)
    expect(rows.map(({ verdict, isLeftOut }) => [verdict.text, isLeftOut])).toEqual([
      ['Already on the account as “Interview”, ordered 12 Nov', true],
      ['Looks like “Interview” of the account, ordered 12 Nov', true],
      [null, false],
    ])
    expect(summarize(rows)).toMatchObject({ ready: [rows[2]], leftOut: ['same', 'alike'], total: { cents: 125 } })
    expect(summarize(priceTray(tray, [], specDefaultOptions, book, find, true)).ready).toHaveLength(3)
  })

  it('refuses more than 10 GB and takes exactly 10 GB', () => {
    const levels = [10_000_000_000, 10_000_000_001].map(
      (bytes) => priceTray([upload('a', { bytes })], [], specDefaultOptions, book, nothingKnown)[0]?.verdict.level,
    )
    expect(levels).toEqual(['ok', 'bad'])
  })

  it('says at most where the length is unknown', () => {
    const unknown = upload('a', { inspection: { ...inspectionOf('a'), durationMs: null } })
    const [row] = priceTray([unknown], [], specDefaultOptions, book, nothingKnown)
    expect(row?.price?.certainty).toBe('most')
    expect(row?.verdict.level).toBe('note')
  })

  it('waits for uploads that are being read, without skipping them', () => {
    const { reading, ready } = summarize(
      priceTray([upload('a', { inspection: null })], [], specDefaultOptions, book, nothingKnown),
    )
    expect([reading, ready.length]).toEqual([1, 0])
  })
})

function inspectionOf(id: string) {
  const { inspection } = upload(id)
  if (inspection === null) throw new Error('not read')
  return inspection
}

describe('an estimate learned from earlier orders', () => {
  it('is called one and has the range that was paid', () => {
    const learned: PriceBook = {
      kind: 'learned',
      rates: { manual: { low: 100, middle: 125, high: 175 }, automated: null },
      currency: 'USD',
    }
    expect(quote(learned, specDefaultOptions, 120_000, true)).toEqual({
      cents: 250,
      lowCents: 200,
      highCents: 350,
      certainty: 'about',
    })
    expect(quote(learned, { ...specDefaultOptions, transcript_type: 'automated' }, 60_000, true)).toBeNull()
    expect(sumQuotes([null, quote(learned, specDefaultOptions, 60_000, true)])).toMatchObject({
      cents: 125,
      unknown: 1,
    })
  })
})

describe('differences', () => {
  it('names what differs, and of an automated upload only that', () => {
    const british = { ...specDefaultOptions, spelling_style: 'british', strict_verbatim: 'on' } as const
    expect(differences(british, specDefaultOptions)).toEqual(['Verbatim', 'British spelling'])
    expect(differences({ ...british, transcript_type: 'automated' }, specDefaultOptions)).toEqual(['Automated'])
    expect(differences(specDefaultOptions, british)).toEqual(['No verbatim', 'American spelling'])
  })
})

describe('copy as curl', () => {
  it('names file, type, options and key without the key', () => {
    const command = buildCurl(upload('it’s "one"'), specDefaultOptions, specDefaultOptions, 'https://parley.example')
    expect(command).toContain('curl -u "$PARLEY_KEY:"')
    expect(command).toContain('https://parley.example/v1/files?transcript_type=manual')
    expect(command).toContain('type=audio/mpeg')
  })

  it('names options that are empty here but have an account default, and the type that is sent', () => {
    const recorded = upload('a', {
      source: {
        kind: 'file',
        file: new Blob([], { type: 'audio/mp3' }),
        handle: null,
        lastModified: 0,
        recordedMs: null,
      },
    })
    const defaults = { ...specDefaultOptions, instructions: 'Names as spelt' }
    const command = buildCurl(recorded, specDefaultOptions, defaults, 'https://parley.example')
    expect(command).toMatch(/&instructions='/)
    expect(command).toContain(';type=audio/mp3')
  })

  it('quotes any text for a shell', () => {
    expect(shellQuote("it's")).toBe(`'it'\\''s'`)
    expect(shellQuote('plain.mp3')).toBe('plain.mp3')
  })
})

it('free minutes are shared in the order of the tray, and what is promised to uploads in progress is not shared again', () => {
  const automated = { ...specDefaultOptions, transcript_type: 'automated' } as const
  const withFree = { ...book, freeMs: 90_000 } as PriceBook
  const minute = (id: string) =>
    ({ ...upload(id), inspection: { ...upload(id).inspection, durationMs: 60_000 } }) as Upload
  const tray = [minute('a'), minute('b'), minute('c')]
  const shares = (submitted: readonly Upload[], options: OrderOptions = automated) =>
    shareFreeMinutes(priceTray(tray, submitted, options, withFree, nothingKnown, true), submitted, withFree).map(
      ({ freeMs, price }) => [freeMs, price?.cents],
    )
  expect(shares([])).toEqual([
    [60_000, 0],
    [30_000, 5],
    [0, 10],
  ])
  expect(shares([], specDefaultOptions)[0]).toEqual([undefined, 125])
  const running = { ...minute('d'), state: { is: 'waiting' }, agreement: { freeMs: 60_000 } } as unknown as Upload
  expect(shares([running])).toEqual([
    [30_000, 5],
    [0, 10],
    [0, 10],
  ])
})
