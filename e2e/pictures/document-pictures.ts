import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unpackWoff } from '../../src/formats/documents/pdf/unpack-woff.ts'
import { renderFormat } from '../../src/formats/render-format.ts'
import { sampleTranscript } from '../../src/formats/testing/sample-transcripts.ts'
import { pdfKit } from '../../src/service/text/transcripts/pdf-kit.ts'

/*
 * `node e2e/pictures/document-pictures.ts`: the pictures of documents in docs/tour.md. Needs pdftoppm, ffmpeg, and
 * LibreOffice, which gets the serif as if it were installed.
 */

const run = promisify(execFile)
const pictures = join(import.meta.dirname, '../../docs/pictures')

const said = [
  [
    'Ada Obi',
    'When you first came to the valley, what was here? I mean before the dam, before any of the road was paved.',
  ],
  [
    'Tom Reyes',
    'There was the mill, and there was my uncle’s store, and about forty families. You could hear the river from every kitchen. People forget that. They think of the lake and they think it was always quiet like that, but it was loud. It was a loud place to live.',
  ],
  ['Ada Obi', 'And the store was where the boat ramp is now?'],
  [
    'Tom Reyes',
    'A little north of it. When the water is low in September you can still see the foundation stones. I took my granddaughter out there two summers ago and she stood on the counter, more or less, where I used to sell her great-grandmother lamp oil and thread.',
  ],
  ['Ada Obi', 'Did anybody refuse to leave?'],
  [
    'Tom Reyes',
    'Three families. The Hallorans, and the two Petrov brothers, and old Mrs. Dean, who told the man from the company that she had already drowned once and it hadn’t taken.',
  ],
] as const
const doubtful = new Set(['September', 'lamp', 'oil'])

function sample() {
  const transcript = sampleTranscript([...said, ...said, ...said], { speaker_tracking_format: 'full names' })
  const turns = transcript.turns.map(({ speaker, words }) => ({
    speaker,
    words: words.map((word) => (doubtful.has(word.word) ? { ...word, conf: 0.2 } : word)),
  }))
  return { ...transcript, title: 'Oral history, tape 14 (A side)', turns, doubtfulBelow: 0.5 }
}

async function serifIn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const weight of [400, 600]) {
    const name = `source-serif-4-latin-${weight}-normal.woff`
    const path = createRequire(import.meta.url).resolve(`@fontsource/source-serif-4/files/${name}`)
    await writeFile(join(folder, `${weight}.ttf`), unpackWoff(await readFile(path)))
  }
}

const folder = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
try {
  await serifIn(join(folder, 'fonts'))
  const office = [
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    `-env:UserInstallation=file://${folder}/office`,
  ]
  for (const format of ['pdf', 'docx', 'odt', 'doc'] as const) {
    const path = join(folder, `${format}-page.${format}`)
    await writeFile(path, Buffer.concat([...(await renderFormat(sample(), format, { pdfKit }))]))
    const env = { ...process.env, XDG_DATA_HOME: folder }
    if (format !== 'pdf') await run('soffice', [...office, path], { env })
    const picture = join(folder, format)
    await run('pdftoppm', ['-png', '-gray', '-singlefile', '-r', '72', join(folder, `${format}-page.pdf`), picture])
    await run('ffmpeg', ['-v', 'error', '-y', '-i', `${picture}.png`, join(pictures, `document-${format}.webp`)])
  }
} finally {
  await rm(folder, { recursive: true })
}
