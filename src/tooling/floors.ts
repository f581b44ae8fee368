import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'

/*
 * Import rules between folders: the single source. A folder imports those on lines below its own, never one above and
 * no sibling on its line. `floors.test.ts` enforces it, and `node src/tooling/floors.ts --write` prints it into
 * docs/architecture.md. Files directly in a folder belong to no line of it, nor do tests and `testing` folders.
 */

/**
 * A folder, a short description, and the lines of folders inside it from the top down; without lines, their order is
 * free.
 */
export type Folder = { name: string; holds: string; lines?: readonly (readonly Folder[])[] }

const folder = (name: string, holds: string, lines?: Folder['lines']): Folder =>
  lines === undefined ? { name, holds } : { name, holds, lines }

const web = folder('web', 'the dashboard', [
  [folder('boot', 'how a page begins, and the URL map')],
  [folder('staff', 'the pages of typists and managers at /work, a build of their own')],
  [folder('shell', 'sidebar, bars, command palette')],
  [
    folder('screens', 'one folder a page', [
      [
        folder('files', 'the list, projects, views'),
        folder('order', 'New order'),
        folder('usage', 'spending by month'),
        folder('receipts', 'receipts for printing'),
        folder('vocabulary', 'names and terms'),
        folder('audit-log', 'who did what'),
        folder('webhooks', 'endpoints and deliveries'),
        folder('settings', 'keys, defaults, payment'),
        folder('sign-in', 'the way in'),
      ],
    ]),
  ],
  [
    folder('transcript', 'one transcript', [
      [folder('page', 'header, text, bars, the list of features')],
      [folder('sync', 'corrections and review in step with the account')],
      [folder('review', 'turns checked, places sent back, typed work')],
      [folder('panel', 'sections and dialogs beside the text')],
      [folder('versions', 'kept, named and compared')],
      [folder('captions', 'the text as captions, timed and drawn')],
      [folder('downloads', 'files with corrections, made in the browser')],
      [folder('desk', 'what is open: text, correcting, find, doubts')],
      [folder('view', 'the text in the DOM, typing in it'), folder('player', 'sound, waveform, clock')],
      [folder('edit', 'rules of corrections: no view, no component')],
      [folder('model', 'words in typed arrays')],
    ]),
  ],
  [
    folder('signed-in', 'what lives as long as a session', [
      [folder('uploads', 'tray and queue'), folder('options', 'order options in words, price book')],
      [folder('library', "every file's metadata, live events")],
      [folder('session', 'who is signed in'), folder('preferences', 'how it looks')],
    ]),
  ],
  [
    folder('base', 'what knows no account and no page', [
      [folder('api', 'the only way to the network'), folder('ui', 'components')],
      [folder('state', 'Signal, the one store class')],
    ]),
  ],
])

const service = folder('service', 'the service', [
  [folder('start', 'command line, configuration, assembly of a process')],
  [
    folder('api', 'HTTP: every route', [
      [folder('remote', 'the dashboard in front of another service'), folder('openapi', '/docs and /openapi.json')],
      [folder('uploads', 'resumable uploads (tus)'), folder('work', 'the desk of typists and managers')],
      [folder('v1', "the customer's interface"), folder('account', 'what the dashboard asks beside it')],
      [folder('sandbox', 'demo accounts, sandbox tools'), folder('playback', 'sound for players')],
      [folder('http', 'TLS, headers, keys, rates, compression, the one catch')],
    ]),
  ],
  [folder('operations', 'doctor, backup, restore')],
  [folder('workbench', 'manual orders: parts, claims, steps, staff')],
  [
    folder('recognition', 'words from sound', [
      [folder('models', 'speech models, pinned by hash'), folder('speakers', 'who speaks: diarisation')],
      [folder('engines', 'http, sherpa, pocketsphinx')],
      [folder('pieces', 'cutting at silences')],
    ]),
  ],
  [
    folder('text', 'stored words and what becomes of them', [
      [folder('search', 'full-text index, in a thread of its own')],
      [folder('corrections', 'corrections, versions, reviews')],
      [folder('transcripts', 'words and their renderings'), folder('vocabulary', 'terms of the account')],
    ]),
  ],
  [
    folder('orders', 'files, money, projects', [
      [
        folder('create', 'prices, charges and creates an order once per idempotency key'),
        folder('retention', 'rules that delete automatically'),
      ],
      [folder('projects', 'files that belong together, with a budget'), folder('labels', 'names, notes, tags')],
      [folder('money', 'charges, refunds, ledger, payment providers')],
      [folder('file', "a file's row, progress, deletion")],
    ]),
  ],
  [
    folder('accounts', 'accounts and what they are told', [
      [
        folder('auth', 'accounts and API keys'),
        folder('webhooks', 'deliveries'),
        folder('events', 'live events'),
        folder('audit-log', 'who did what'),
      ],
    ]),
  ],
  [
    folder('platform', 'what every room is given', [
      [folder('queue', 'jobs and chores')],
      [folder('db', 'schema, migrations, outbox, leases')],
      [folder('media', 'blobs, probing, decoding')],
      [folder('net', 'outbound guard against SSRF')],
    ]),
  ],
])

/** `src`: its folders are walls, compiled separately; an import between walls without an arrow fails `tsc -b`, too. */
export const house: Folder = folder('src', '', [
  [web, service, folder('tooling', 'set-up, build, checks')],
  [folder('formats', 'transcripts as files: captions, documents, data')],
  [folder('text', 'a transcript and its words: rules of text, corrections, speakers, finding')],
  [folder('contract', 'what both sides promise')],
])

const root = join(import.meta.dirname, '../..')

/** Product source files, by path from the root of the repository, with their text. */
export function readSources(): Map<string, string> {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const paths = names.filter((name) => /\.(?:tsx?|mjs)$/.test(name)).map((name) => posix.join('src', name))
  return new Map(paths.filter(isProduct).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function isProduct(path: string): boolean {
  return !/\.test\.tsx?$|\/(?:testing|conformance)\/|\.d\.ts$/.test(path) && statSync(join(root, path)).isFile()
}

/**
 * Forms of references between files: `from '…'` and `import '…'`, `import('…')`, a worker's `new URL`, a relative path.
 */
const arrows = [
  /\b(?:from|import)\s*(['"`])(\.[^'"`\n]+)\1/g,
  /\bimport\(\s*(['"`])(\.[^'"`\n]+)\1/g,
  /\bnew URL\(\s*(['"`])([^'"`\n]+)\1,\s*import\.meta\.url/g,
  /\bimport\.meta\.dirname,\s*(['"`])([^'"`\n]+)\1/g,
]

/** The files of `src` that a file references, as paths from the root of the repository. */
function importsIn(path: string, text: string): string[] {
  return arrows
    .flatMap((arrow) => [...text.matchAll(arrow)])
    .map(([, , to = '']) => posix.join(dirname(path), to))
    .filter((to) => to.startsWith('src/'))
}

/** Why an import is forbidden; null if it is allowed. */
export function arrowProblem(from: string, to: string): string | null {
  if (/\/(?:testing|conformance)\//.test(to)) return 'is a test helper'
  let at: Folder = house
  const [, ...above] = from.split('/')
  const [, ...below] = to.split('/')
  while (at.lines !== undefined && above.length > 1 && below.length > 1) {
    const [mine, theirs] = [above.shift() ?? '', below.shift() ?? '']
    const lineOf = (name: string) => at.lines?.findIndex((line) => line.some((one) => one.name === name)) ?? -1
    if (lineOf(mine) < 0) return `lies in ${mine}, which has no place in src/tooling/floors.ts`
    if (mine !== theirs) {
      if (lineOf(theirs) > lineOf(mine)) return null
      return lineOf(theirs) === lineOf(mine) ? `lies beside ${mine}` : `lies above ${mine}`
    }
    const inside = at.lines.flat().find((one) => one.name === mine)
    if (inside === undefined) return null
    at = inside
  }
  return null
}

/** Every import that goes up or to a sibling: `src/a.ts -> src/b.ts: why`. */
export function wrongArrows(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([path, text]) =>
    importsIn(path, text).flatMap((to) => {
      const problem = arrowProblem(path, to)
      return problem === null ? [] : [`${path} -> ${to}: ${problem}`]
    }),
  )
}

/** The folder table as text for docs/architecture.md, one line per floor. */
function printedFloors(wall: Folder): string {
  const line = (name: string, depth: number, holds: string) => `${'  '.repeat(depth)}${name}`.padEnd(16) + holds
  const print = (at: Folder, depth: number): string[] =>
    (at.lines ?? []).flatMap((folders) =>
      folders.flatMap((one) => [line(`${one.name}/`, depth, one.holds), ...print(one, depth + 1)]),
    )
  return print(wall, 0).join('\n')
}

const page = join(root, 'docs/architecture.md')

/** The text of docs/architecture.md with a wall's floors filled in between its markers. */
export function withFloors(text: string): string {
  return [web, service].reduce(
    (now, wall) =>
      now.replace(
        new RegExp(`(<!-- floors of ${wall.name} -->\n)[^]*?(<!-- end -->)`),
        (_all, begin: string, end: string) => `${begin}\`\`\`\n${printedFloors(wall)}\n\`\`\`\n${end}`,
      ),
    text,
  )
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) {
  writeFileSync(page, withFloors(readFileSync(page, 'utf8')))
  console.log(`${relative(root, page)} is as src/tooling/floors.ts says.`)
}
