import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlackBox, head, openBlackBox, readError, readMetadata } from '../testing/black-box.ts'

let box: BlackBox
let key: string
let ready: string
let waiting: string
beforeAll(async () => {
  box = await openBlackBox({ role: 'api' })
  key = (await box.account()).key
  ready = await box.sample(key, 100)
  box.kit.advance(1_000)
  waiting = await box.sample(key, 30)
})
afterAll(() => box.close())

const methodsOfFiles = ['GET', 'HEAD', 'POST']
const methodsOfFile = ['GET', 'HEAD', 'DELETE']
const otherMethods = [
  'PUT',
  'PATCH',
  'OPTIONS',
  'QUERY',
  'TRACE',
  'PROPFIND',
  'LINK',
  'PURGE',
  'MKCOL',
  'COPY',
  'REPORT',
]

describe('4.1 List files', () => {
  it('4.1 and 2.1: an array of objects with only an id, newest first', async () => {
    const answer = await box.raw(head('GET', 'files', key))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual([{ id: waiting }, { id: ready }])
  })

  it('4.1 an account without files has an empty array', async () => {
    const { key: empty } = await box.account()
    expect((await box.raw(head('GET', 'files', empty))).body).toBe('[]')
  })

  it("4.1 no account sees another's files", async () => {
    const { key: other } = await box.account()
    const id = await box.sample(other, 0)
    expect(JSON.parse((await box.raw(head('GET', 'files', other))).body)).toEqual([{ id }])
    expect((await box.raw(head('GET', 'files', key))).body).not.toContain(id)
  })

  it('decision 6: HEAD of files is 200 with the length of the list', async () => {
    const list = await box.raw(head('GET', 'files', key))
    const answer = await box.raw(head('HEAD', 'files', key), { isHead: true })
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect(answer.headers.get('content-length')).toBe(String(list.body.length))
  })

  it.each([...otherMethods, 'DELETE'])('4.1 and 4.6: %s on files is 405 with the allowed methods', async (method) => {
    const answer = await box.raw(head(method, 'files', key))
    expect(answer.status).toBe(405)
    for (const allowed of methodsOfFiles) expect(readError(answer.body)).toContain(allowed)
    expect(answer.headers.get('allow')).toBe(methodsOfFiles.join(', '))
  })
})

describe('4.3 File metadata', () => {
  it('4.3 HEAD is 200 with the headers of the spec and no body', async () => {
    const answer = await box.raw(head('HEAD', `file/${ready}`, key), { isHead: true })
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect(readMetadata(answer).progress_percent).toBe(100)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\x20-\x7e]+\.txt"; filename\*=UTF-8''[\w%.!~-]+\.txt$/,
    )
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
  })

  it('7: an unknown id of any length is 404', async () => {
    for (const length of [100, 3_000, 12_000]) {
      expect((await box.raw(head('GET', `file/${'f'.repeat(length)}`, key))).status).toBe(404)
    }
  })

  it.each(['nothing', 'f', ' ', '%00', '..', 'f'.repeat(500), '%ff', '0'])(
    '7: HEAD of the wrong id "%s" is 404 or 400',
    async (id) => {
      const answer = await box.raw(head('HEAD', `file/${encodeURI(decodeOr(id))}`, key), { isHead: true })
      expect([400, 404]).toContain(answer.status)
    },
  )
})

function decodeOr(id: string): string {
  return id === ' ' ? '%20' : id
}

describe('4.4 Get transcript', () => {
  const types: Record<string, [string, RegExp]> = {
    txt: ['text/plain; charset=utf-8', /\w/],
    doc: ['application/msword', /^\u00d0\u00cf/],
    pdf: ['application/pdf', /^%PDF-/],
    odt: ['application/vnd.oasis.opendocument.text', /^PK/],
    sbv: ['text/plain; charset=utf-8', /^\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}\r?\n/],
    srt: ['application/x-subrip; charset=utf-8', /^1\r?\n\d\d:\d\d:\d\d,\d{3} --> /],
    json: ['application/json; charset=utf-8', /^\[/],
  }

  it.each(Object.entries(types))('4.4 GET file.%s is the transcript in that format', async (ext, [type, start]) => {
    const answer = await box.kit.fetch(key, `file/${ready}.${ext}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(start)
    expect(answer.headers.get('content-disposition')).toContain(`.${ext}`)
    expect(readMetadata(answer).progress_percent).toBe(100)
  })

  it('4.4 without extension it is txt', async () => {
    const bare = await box.kit.fetch(key, `file/${ready}`)
    const txt = await box.kit.fetch(key, `file/${ready}.txt`)
    expect(bare.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await bare.text()).toBe(await txt.text())
  })

  it.each(['', ...Object.keys(types)])(
    '4.4 below 100 the work in progress is txt, whatever the extension: "%s"',
    async (ext) => {
      const answer = await box.kit.fetch(key, `file/${waiting}${ext === '' ? '' : `.${ext}`}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(answer.headers.get('content-disposition')).toMatch(/\.txt/)
      expect(readMetadata(answer).progress_percent).toBe(30)
      expect(await answer.text()).toMatch(/incomplete/i)
    },
  )

  it.each(['mp3', 'xlsx', 'html', 'TXTT', 'exe', '', 'txt.pdf', '%20', 'tx%74x'])(
    '4.4 and 7: extension "%s" is 415 listing the types',
    async (ext) => {
      const answer = await box.raw(head('GET', `file/${ready}.${ext}`, key))
      expect(answer.status).toBe(415)
      for (const type of Object.keys(types)) expect(readError(answer.body)).toContain(type)
    },
  )

  it.each(['', '.txt', '.pdf', '.json', '.mp3'])('7: a wrong id is 404 with extension "%s"', async (ext) => {
    const answer = await box.raw(head('GET', `file/fnotthere${ext}`, key))
    expect(answer.status).toBe(404)
    expect(readError(answer.body)).toMatch(/\w+ \w+/)
  })

  it('7: another account’s file is 404, like a wrong id', async () => {
    const { key: other } = await box.account()
    const foreign = await box.raw(head('GET', `file/${ready}`, other))
    const wrong = await box.raw(head('GET', 'file/fnotthere', other))
    expect([foreign.status, foreign.body]).toEqual([wrong.status, wrong.body])
    expect(foreign.status).toBe(404)
  })
})

describe('2.4 Transcript word record', () => {
  it('2.4 every object has the keys with their types, times in order, and turn on some', async () => {
    const words = (await (await box.kit.fetch(key, `file/${ready}.json`)).json()) as Record<string, unknown>[]
    expect(words.length).toBeGreaterThan(10)
    for (const { word, start, end, duration, conf, turn, turn_conf, ...rest } of words) {
      expect(rest).toEqual({})
      expect(word).toEqual(expect.stringMatching(/\S/))
      const [from, to, length] = [Number(start), Number(end), Number(duration)]
      expect(to).toBeGreaterThanOrEqual(from)
      expect(length).toBeCloseTo(to - from, 2)
      for (const confidence of turn === undefined ? [conf] : [conf, turn_conf]) {
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }
    }
    const starts = words.map(({ start }) => Number(start))
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
    expect(words.filter((word) => 'turn' in word).length).toBeGreaterThan(0)
    expect(words.filter((word) => 'turn' in word).length).toBeLessThan(words.length)
  })
})

describe('2.5 Text transcript shape', () => {
  it('2.5 the work in progress starts with a notice, a separator line, then timed lines with their speakers', async () => {
    const text = await (await box.kit.fetch(key, `file/${waiting}`)).text()
    const lines = text.split('\n')
    const separator = lines.findIndex((line) => /^-{3,}$/.test(line.trim()))
    expect(separator).toBeGreaterThan(0)
    const notice = lines.slice(0, separator).join(' ')
    for (const word of [/incomplete/i, /missing/i, /mistakes/i, /blanks/i, /speaker/i]) expect(notice).toMatch(word)
    const spoken = lines.slice(separator + 1).filter((line) => line.trim() !== '')
    expect(spoken.length).toBeGreaterThan(0)
    for (const line of spoken) expect(line).toMatch(/^\d+:\d\d(:\d\d)? [^:]+: \S/)
  })
})

describe('4.6 Other', () => {
  it.each([...otherMethods, 'POST'])('4.6 %s on a file is 405 with the allowed methods', async (method) => {
    const answer = await box.raw(head(method, `file/${ready}`, key))
    expect(answer.status).toBe(405)
    for (const allowed of methodsOfFile) expect(readError(answer.body)).toContain(allowed)
    expect(answer.headers.get('allow')).toBe(methodsOfFile.join(', '))
  })

  it.each(['files', 'file/any'])('4.6 an unknown method is 405 on %s, too', async (path) => {
    const answer = await box.raw(head('BREW', path, key))
    expect(answer.status).toBe(405)
    for (const allowed of ['GET', 'HEAD', 'POST', 'DELETE']) {
      expect(readError(answer.body)).toContain(allowed)
      expect(answer.headers.get('allow')).toContain(allowed)
    }
  })

  it.each(['file', 'file/', 'files/x', 'nothing', 'Files', 'file/a/b', ''])(
    'there is no resource at "%s": 404',
    async (path) => {
      const answer = await box.raw(head('GET', path, key))
      expect(answer.status).toBe(404)
      readError(answer.body)
    },
  )
})
