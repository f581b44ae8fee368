import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import type { AccountRoom } from '../../../src/service/testing/account-room.ts'
import type { TestService } from '../../../src/service/testing/test-service.ts'
import {
  makeChange,
  makeSample,
  postChange,
  typed,
} from '../../../src/service/text/corrections/testing/sample-to-correct.ts'
import { giveVideo } from '../../../src/service/text/videos/testing/give-video.ts'
import { Tally } from '../torture/rounds.ts'

/** On a busy machine; the slowest took 1.8 s. */
const longestMs = 60_000
/** as long as the sample's words */
const seconds = 60

/** Captions that are code to one of the readers on their way into a picture, or to its player. */
const hostileTexts: readonly string[] = [
  ...['{laughs} loud', '{\\p1}m 0 0 l 2000 0 2000 2000 0 2000', '{\\fs900}big', '{\\t(0,9999,\\fscx900)}wide'],
  ...[
    '{\\iclip(0,0,1,1)}clip',
    '{\\an8\\pos(0,0)}top',
    '\\N\\N\\N\\Nlines',
    '\\h\\h',
    '{unclosed',
    'closed}',
    '\\{\\}',
  ],
  ...[
    '<font size="900">big</font>',
    '<script>alert(1)</script>',
    '<c.red>',
    '&lt;b&gt;',
    '-->',
    '00:00:01.000 --> 00:59:00.000',
  ],
  ...[
    'NOTE nothing',
    'STYLE ::cue{}',
    'WEBVTT',
    '[Script Info]',
    'Dialogue: 0,0:00:00.00,9:00:00.00,Default,,0,0,0,,x',
  ],
  ...[
    '%s%n%{pts}',
    "';rm -rf /;'",
    ':force_style=Fontsize=900',
    '\u202eesrever',
    '\ufeff',
    '😀'.repeat(200),
    'x'.repeat(5_000),
  ],
]

/** Words with times that no clock has. */
const hostileTimes: readonly [number, number][] = [
  [-1, 1],
  [5, 1],
  [0, 1e9],
  [1e15, 1.1e15],
  [86_400_000, 86_400_001],
]

type Film = { name: string; extension: string; spoil(path: string): Promise<unknown> }

const black = ['-f', 'lavfi', '-i', `color=black:s=320x180:r=1:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']

/** Recordings that are ordered as videos and are damaged afterwards, or are something else. */
const films: readonly Film[] = [
  { name: 'cut', extension: 'mp4', spoil: (path) => truncate(path, 5_000) },
  { name: 'empty', extension: 'mp4', spoil: (path) => truncate(path, 0) },
  {
    name: 'a playlist',
    extension: 'mp4',
    spoil: (path) => writeFile(path, '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
  },
  {
    name: 'a list to join',
    extension: 'mkv',
    spoil: (path) => writeFile(path, "ffconcat version 1.0\nfile '/etc/passwd'\n"),
  },
  { name: 'a subtitle', extension: 'avi', spoil: (path) => writeFile(path, '1\n00:00:00,000 --> 00:00:01,000\nx\n') },
  {
    name: 'noise inside',
    extension: 'mp4',
    async spoil(path) {
      const bytes = await readFile(path)
      for (let at = 200; at < bytes.length; at += 7) bytes[at] = (at * 31) & 255
      await writeFile(path, bytes)
    },
  },
  {
    name: 'a header that lies',
    extension: 'avi',
    async spoil(path) {
      const bytes = await readFile(path)
      bytes.fill(255, 32, 64)
      await writeFile(path, bytes)
    },
  },
]

/** Bright pixels of the whole picture at its brightest. */
function brightest(path: string): number {
  const args = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const pixels = execFileSync('ffmpeg', args, { maxBuffer: 1e9 })
  const size = 320 * 180
  let most = 0
  for (let at = 0; at < pixels.length; at += size) {
    let bright = 0
    for (const value of pixels.subarray(at, at + size)) if (value > 180) bright += 1
    most = Math.max(most, bright)
  }
  return most
}

class Studio {
  readonly room: AccountRoom
  readonly directory: string
  readonly answers = new Tally('videos asked for')
  readonly drawn = new Tally('captions that are code, drawn')
  readonly formats = new Tally('captions in six formats')

  constructor(room: AccountRoom, directory: string) {
    this.room = room
    this.directory = directory
  }

  /** Asks for a video until it is made or refused. @returns its bytes; null: refused in words */
  async make(id: string, kind: 'soft' | 'burnt', what: string): Promise<Buffer | null> {
    const startedMs = performance.now()
    for (;;) {
      const answer = await this.room.client.ask('POST', `files/${id}/captioned-video?captions=${kind}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const isLate = performance.now() - startedMs > longestMs
      if (answer.status === 202 && !isLate) continue
      const isRefused = answer.status === 422 && typeof JSON.parse(String(bytes)).error === 'string'
      this.answers.count(
        (answer.ok && !isLate) || isRefused,
        `${what}, ${kind}: ${answer.status} ${bytes.toString('utf8', 0, 200)}`,
      )
      return answer.status === 200 ? bytes : null
    }
  }

  /** A sample with a black video, whose first word is something else. */
  async film(text: string, at: { start: number; end: number } | null = null): Promise<{ id: string; status: number }> {
    const file = await makeSample(this.room)
    await giveVideo(this.room, file.id, join(this.directory, 'black.mp4'), 'mp4')
    const patch = typed(file, 0, text)
    const words = patch.words.map((word) => ({ ...word, ...at }))
    const answer = await postChange(this.room, `${file.id}/corrections`, 0, makeChange(file, [{ ...patch, words }]))
    return { id: file.id, status: answer.status }
  }

  async readFormats(id: string, what: string): Promise<void> {
    for (const format of ['srt', 'sbv', 'txt', 'pdf', 'odt', 'doc']) {
      const answer = await this.room.client.ask('GET', `files/${id}/corrected/${format}`)
      const text = await answer.text()
      const isRight = answer.ok && !/NaN|Infinity|undefined/.test(text.slice(0, 20_000))
      this.formats.count(isRight, `${what} as ${format}: ${answer.status} ${text.slice(0, 200)}`)
    }
  }
}

async function attackCaptions(studio: Studio): Promise<void> {
  const save = async (bytes: Buffer) => {
    const path = join(studio.directory, 'made.mp4')
    await writeFile(path, bytes)
    return path
  }
  for (const text of hostileTexts) {
    const { id, status } = await studio.film(text)
    const what = text.slice(0, 40)
    studio.answers.count(status === 200 || status === 400, `${what} was answered ${status}`)
    if (status !== 200) continue
    await studio.readFormats(id, what)
    await studio.make(id, 'soft', what)
    const made = await studio.make(id, 'burnt', what)
    if (made === null) continue
    const bright = brightest(await save(made))
    // Letters, and less than a fifth of the picture.
    studio.drawn.count(bright > 20 && bright < 320 * 36, `${what} painted ${bright} pixels`)
  }
  for (const [start, end] of hostileTimes) {
    const { id, status } = await studio.film('late', { start, end })
    studio.answers.count(status === 200 || status === 400, `a word at ${start} was answered ${status}`)
    if (status !== 200) continue
    await studio.readFormats(id, `a word at ${start}`)
    await studio.make(id, 'burnt', `a word at ${start}`)
  }
}

async function attackWithFilms(studio: Studio): Promise<void> {
  for (const { name, extension, spoil } of films) {
    const file = await makeSample(studio.room)
    const path = join(studio.directory, `spoilt.${extension}`)
    runFfmpeg('-y', ...black, ...(extension === 'mp4' ? h264 : ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']), path)
    await spoil(path)
    await giveVideo(studio.room, file.id, path, extension)
    for (const kind of ['soft', 'burnt'] as const) {
      const made = await studio.make(file.id, kind, name)
      const leaks = made?.includes('root:') === true
      studio.answers.count(!leaks, `${name} shows a file of this machine`)
    }
  }
}

/** Captions that are code, at odd times, and videos that are none: each is made or refused in words, nothing is run. */
export async function attackWithVideos(service: TestService): Promise<Tally[]> {
  const account = await service.account()
  const directory = await mkdtemp(join(tmpdir(), 'parley-films-'))
  const studio = new Studio({ service, account, client: accountClient(service.address, account.key) }, directory)
  try {
    runFfmpeg(...black, ...h264, join(directory, 'black.mp4'))
    await attackCaptions(studio)
    await attackWithFilms(studio)
  } finally {
    await rm(directory, { recursive: true })
  }
  return [studio.answers, studio.drawn, studio.formats]
}
