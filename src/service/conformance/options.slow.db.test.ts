import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isValueOption,
  listValues,
  type OrderOptions,
  optionNames,
  specDefaultOptions,
} from '../../contract/interface/option-values.ts'
import { accountClient } from '../testing/account-client.ts'
import { type BlackBox, filePart, head, openBlackBox, postForm, readError, readMetadata } from '../testing/black-box.ts'

let box: BlackBox
let tone: Uint8Array
beforeAll(async () => {
  box = await openBlackBox({ role: 'api' })
  tone = await box.kit.tone(0.2)
})
afterAll(() => box.close())

/** Orders with a verbatim query string, and returns the options as applied. */
async function applied(query: string, customFormatting = false): Promise<OrderOptions> {
  const { key } = await box.kit.account({ customFormatting })
  const created = await box.raw(postForm(key, [filePart(tone)], { query }))
  expect([created.status, created.body]).toEqual([201, expect.stringMatching(/^\{"id":"[^"]+"\}$/)])
  return readMetadata(await box.raw(head('HEAD', `file/${JSON.parse(created.body).id}`, key), { isHead: true })).options
}

async function refused(query: string): Promise<string> {
  const { key } = await box.account()
  const answer = await box.raw(postForm(key, [filePart(tone)], { query }))
  expect([answer.status, query]).toEqual([400, query])
  expect((await box.raw(head('GET', 'files', key))).body).toBe('[]')
  return readError(answer.body)
}

const valueOptions = optionNames.filter(isValueOption)
const textOptions = optionNames.filter((name) => !isValueOption(name))
const pairs = valueOptions.flatMap((name) => listValues(name).map((value) => [name, value] as const))
const withoutType = pairs.filter(([name]) => name !== 'transcript_type')

describe('2.3 Order options: every value', () => {
  it.each(pairs)('2.3 %s takes "%s"', async (name, value) => {
    expect((await applied(`?${name}=${encodeURIComponent(value)}`, true))[name]).toBe(value)
  })

  it.each(pairs)('2.3.1 %s=%s is case insensitive', async (name, value) => {
    const mixed = [...value].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join('')
    expect((await applied(`?${name}=${encodeURIComponent(mixed)}`, true))[name]).toBe(value)
  })

  it.each(Object.entries(specDefaultOptions))('2.3 the default of %s is %j', async (name, value) => {
    expect((await applied(''))[name as keyof OrderOptions]).toEqual(value)
  })

  it.each(withoutType)('2.3.4 automated ignores %s=%s', async (name, value) => {
    if (name === 'custom_formatting' && value === 'yes') return // rule 5 contains a word: see below
    const options = await applied(`?transcript_type=automated&${name}=${encodeURIComponent(value)}`)
    expect(options).toEqual({ ...specDefaultOptions, transcript_type: 'automated' })
  })

  it.each(textOptions)('2.3.4 automated ignores %s', async (name) => {
    const options = await applied(`?transcript_type=automated&${name}=Ann`)
    expect(options).toEqual({ ...specDefaultOptions, transcript_type: 'automated' })
  })
})

describe('2.3 Order options: wrong values are a 400 that names the option and lists its values (section 7)', () => {
  it.each(valueOptions)('7 %s', async (name) => {
    for (const value of [
      '',
      'maybe',
      '1',
      'true',
      'on,off',
      '%00',
      'on%20off',
      `${encodeURIComponent(listValues(name)[0])}x`,
    ]) {
      const error = await refused(`?${name}=${value}`)
      for (const word of [name, ...listValues(name)]) expect(error).toContain(word)
    }
  })

  it.each([
    ['an unknown option', '?colour=red', 'colour'],
    ['an unknown option beside a known one', '?time_coding=on&colour=red', 'colour'],
    ['an option given twice', '?time_coding=on&time_coding=on', 'time_coding'],
    ['an option given twice in two cases', '?time_coding=on&TIME_CODING=off', 'time_coding'],
    ['a text option given twice', '?instructions=a&instructions=b', 'instructions'],
    ['an ignored option of a wrong form (decision 4)', '?transcript_type=automated&time_coding=maybe', 'time_coding'],
    ['a text whose escapes are no UTF-8', '?instructions=caf%E9', 'instructions'],
    ['a name whose escapes break off', '?speaker_names=Ann,%E4%BC', 'speaker_names'],
    [
      'a text that is too long for the metadata (decision 2)',
      `?instructions=${'%C3%A9'.repeat(5_000)}`,
      'instructions',
    ],
    ['an option as array', '?time_coding[]=on', 'time_coding'],
  ])('7 %s', async (_, query, name) => {
    expect(await refused(query)).toContain(name)
  })
})

describe('2.3 Order options: text', () => {
  it.each([
    ['Ann,Bob', ['Ann', 'Bob']],
    ['Ann%2CBob', ['Ann', 'Bob']],
    ['%20Ann%20,%20Bob%20', ['Ann', 'Bob']],
    ['Ann,Bob,', ['Ann', 'Bob']],
    ['Ann+Lee,Bob', ['Ann Lee', 'Bob']],
    ['%D0%90%D0%BD%D0%BD%D0%B0,%E4%BC%9A', ['Анна', '会']],
    ['', []],
    [',', []],
  ])('2.3 speaker_names=%s is a list', async (value, names) => {
    expect((await applied(`?speaker_names=${value}`)).speaker_names).toEqual(names)
  })

  it.each([
    ['Mind%20the%20gap', 'Mind the gap'],
    ['Mind+the+gap', 'Mind the gap'],
    ['a%26b%3Dc%3F%23', 'a&b=c?#'],
    ['%E2%9C%93%20%F0%9F%8E%99', '✓ 🎙'],
    ['%22%5C%2F', '"\\/'],
    ['%EF%BF%BD', '\ufffd'],
    ['a%0D%0AX-Evil%3A%201', 'a\r\nX-Evil: 1'],
    ['', ''],
  ])('2.3.6 instructions=%s', async (value, text) => {
    expect((await applied(`?instructions=${value}`)).instructions).toBe(text)
  })

  it('2.3.6 spaces in values are escaped as %20 or +', async () => {
    for (const space of ['%20', '+']) {
      const query = `?speaker_tracking_format=full${space}names&transcript_template=blank${space}single${space}line${space}spaced`
      const options = await applied(query)
      expect([options.speaker_tracking_format, options.transcript_template]).toEqual([
        'full names',
        'blank single line spaced',
      ])
    }
  })

  it('2.3.5 custom_formatting is refused unless enabled', async () => {
    expect(await refused('?custom_formatting=yes')).toMatch(/custom_formatting/)
    const options = await applied('?custom_formatting=yes&custom_formatting_details=Blue%20ink', true)
    expect([options.custom_formatting, options.custom_formatting_details]).toEqual(['yes', 'Blue ink'])
  })
})

describe('2.3 Order options: defaults and prices', () => {
  const put = (key: string, body: unknown) => accountClient(box.kit.address, key).ask('PUT', 'defaults', body)

  it('2.3.2 absent options take the account’s default, given ones override it', async () => {
    const { key } = await box.account()
    expect((await put(key, { spelling_style: 'british', time_coding: 'off' })).status).toBe(200)
    const created = await box.raw(postForm(key, [filePart(tone)], { query: '?time_coding=on' }))
    const { options } = await box.kit.metadata(key, JSON.parse(created.body).id)
    expect([options.spelling_style, options.time_coding]).toEqual(['british', 'on'])
  })

  it.each([
    ['transcript_type=automated', 10],
    ['transcript_type=automated&strict_verbatim=on&subtitle_file=on', 10],
    ['transcript_type=manual', 125],
    ['', 125],
    ['strict_verbatim=on', 175],
    ['subtitle_file=on', 150],
    ['strict_verbatim=on&subtitle_file=on', 200],
    ['spelling_style=british&time_coding=on&speaker_tracking=on', 125],
    ['transcript_template=blank%20double%20line%20spaced', 125],
  ])('2.3.3 and decision 11: a minute with %s costs %i cents', async (query, cents) => {
    const { key } = await box.account()
    const minute = await box.kit.tone(60)
    const { id } = await box.kit.order(key, minute, `?${query}`)
    const { cost, total, discount } = await box.kit.metadata(key, id)
    expect([cost, discount, total]).toEqual([(cents / 100).toFixed(2), '0.00', cents / 100])
  })
})
