/*
 * Import rules between folders: the single source. A folder imports those on lines below its own, never one above and
 * no sibling on its line. `testing/import-rules.test.ts` enforces it, and `node src/tooling/testing/import-rules.ts
 * --write` prints it into docs/architecture.md. Files directly in a folder belong to no line of it, nor do tests and `testing` folders.
 */

/**
 * A folder, a short description, and the lines of folders inside it from the top down; without lines, their order is
 * free.
 */
export type Folder = { name: string; holds: string; lines?: readonly (readonly Folder[])[] }

const folder = (name: string, holds: string, lines?: Folder['lines']): Folder =>
  lines === undefined ? { name, holds } : { name, holds, lines }

export const web = folder('web', 'the dashboard', [
  [folder('boot', 'how a page begins, and the URL map')],
  [folder('reference', 'script and styles of /docs, a build of their own')],
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
      [folder('captions', 'the text as captions: list, picture, waveform')],
      [folder('downloads', 'files with corrections, made in the browser')],
      [folder('desk', 'what is open: text, correcting, find, doubts')],
      [folder('view', 'the text in the DOM, typing in it'), folder('player', 'sound, waveform, clock')],
      [folder('edit', 'rules of corrections: no view, no component')],
      [folder('model', 'words in typed arrays')],
    ]),
  ],
  [
    folder('signed-in', 'what lives as long as a session', [
      [folder('file-actions', 'what is done with files: labels, project, deletion')],
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

export const service = folder('service', 'the service', [
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
  [folder('operations', 'doctor, backup, restore, exports, the end of accounts')],
  [folder('workbench', 'manual orders: parts, claims, steps, staff')],
  [
    folder('recognition', 'words from sound', [
      [folder('measure', 'how many words an engine gets wrong')],
      [folder('models', 'speech models, pinned by hash'), folder('speakers', 'who speaks: diarisation')],
      [folder('engines', 'http, sherpa, pocketsphinx')],
      [folder('pieces', 'cutting at silences')],
    ]),
  ],
  [
    folder('text', 'stored words and what becomes of them', [
      [folder('search', 'full-text index, in a thread of its own'), folder('videos', 'recordings with their captions')],
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
      [folder('books', 'double entry: balance, ledger, what goes back to cards')],
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
  [folder('tooling', 'set-up, build, checks')],
  [folder('reference', 'the pages of /docs, made at build time')],
  [web, service, folder('client', 'a client for programs, a package of its own')],
  [folder('formats', 'transcripts as files: captions, documents, data')],
  [folder('text', 'a transcript and its words: rules of text, corrections, speakers, finding')],
  [folder('contract', 'what both sides promise')],
])
