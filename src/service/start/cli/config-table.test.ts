import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultConfig, type Setting, settings } from '../../platform/config.ts'
import { readConfig, serveFlags } from './read-config.ts'

const operating = readFileSync(join(import.meta.dirname, '../../../../docs/operating.md'), 'utf8')

function defaultWords(standard: unknown): string {
  if (standard === null || (Array.isArray(standard) && standard.length === 0)) return 'none'
  if (typeof standard === 'boolean') return standard ? '`on`' : 'off'
  return `\`${standard}\``
}

/** The rows of the table in docs/operating.md. */
function printTable(): string {
  const rows = Object.values<Setting>(settings).map(([env, , standard, doc, { flag, hasFile, shown } = {}]) => {
    const names = [env, flag && `--${flag}`, hasFile && `${env}_FILE`].flatMap((name) => (name ? [`\`${name}\``] : []))
    return `| ${names.join(', ')} | ${shown ?? defaultWords(standard)} | ${doc} |`
  })
  return ['| Variable, flag | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

describe('the table of settings', () => {
  it('is printed in docs/operating.md: if it changed, put what was expected there', () => {
    const [table] = /^\| Variable, flag .*\n(?:\|.*\n)+/m.exec(operating) ?? []
    expect(table).toBe(printTable())
  })

  it('names each variable and flag once', () => {
    const names = Object.values(settings).map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(serveFlags)).toEqual(['port', 'host', 'data', 'remote', 'remote-sandbox', 'model'])
  })

  it('gives the defaults if nothing or only blanks are set', () => {
    const blanks = Object.fromEntries(Object.values(settings).map(([name]) => [name, ' ']))
    expect(readConfig({}, {})).toEqual(defaultConfig)
    expect(readConfig({ port: '', model: '' }, blanks)).toEqual(defaultConfig)
  })

  it.each([
    [{ PORT: '70000' }, 'PORT (--port) must be a number from 0 to 65535, not "70000".'],
    [{ METRICS_PORT: 'x' }, 'METRICS_PORT must be a number from 0 to 65535, not "x".'],
    [{ PUBLIC_URL: 'ftp://a' }, 'PUBLIC_URL must be an http(s) address, not "ftp://a".'],
    [{ RECOGNIZER: 'ear' }, 'RECOGNIZER must be one of auto, sherpa, http, pocketsphinx, not "ear".'],
    [{ TLS_CERT: 'a.pem' }, 'TLS_CERT and TLS_KEY must both be set; one of them is missing.'],
    [{ TYPING_POOL_SPEED: '0' }, 'TYPING_POOL_SPEED must be a number above 0, not "0".'],
    [{ WORKER_PARALLEL: '1.5' }, 'WORKER_PARALLEL must be a number from 1 to 256, not "1.5".'],
    [{ DATABASE_URL: 'mysql://me:secret@db' }, 'DATABASE_URL must begin with postgres://.'],
    [{ OFFLINE: 'yes' }, 'OFFLINE must be 1, true, 0 or false, not "yes".'],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a number from 1 to 1000.'],
    [{ DATABASE_URL_FILE: '/none' }, /^DATABASE_URL_FILE cannot be read: ENOENT/],
    [{ BLOBS: 'file:///a' }, 'BLOBS must be s3://bucket/prefix, not "file:///a".'],
    [{ BLOBS: 's3://a' }, 'BLOBS needs DATABASE_URL: the embedded database keeps its recordings beside it.'],
  ])('%o is refused in one sentence', (env, words) => {
    const refusal = expect.objectContaining({ name: 'StartError', message: expect.stringMatching(words) })
    const message =
      typeof words === 'string' ? expect.objectContaining({ name: 'StartError', message: words }) : refusal
    expect(() => readConfig({}, env)).toThrow(message)
  })

  it('combines several variables', () => {
    const database = { DATABASE_URL: 'postgresql://db/parley', DATABASE_POOL: '3' }
    expect(readConfig({}, database).postgres).toEqual({
      url: database.DATABASE_URL,
      directUrl: database.DATABASE_URL,
      pool: 3,
    })
    const bucket = { BLOBS: 's3://b/a%20b/', AWS_REGION: 'eu-1', S3_PATH_STYLE: 'true', OFFLINE: '0' }
    expect(readConfig({}, { ...database, ...bucket })).toMatchObject({
      s3: { bucket: 'b', prefix: 'a b/', endpoint: null, region: 'eu-1', isPathStyle: true },
      offline: false,
    })
    expect(readConfig({ port: '0' }, { PORT: '1', ALLOW_ORIGINS: 'https://a, ,https://b' })).toMatchObject({
      port: 0,
      allowOrigins: ['https://a', 'https://b'],
    })
  })
})
