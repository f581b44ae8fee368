import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { type ServedFormat, servedFormats } from '../../../contract/interface/transcript-formats.ts'
import { spokenWords, trickyTexts } from '../../../formats/testing/sample-transcripts.ts'
import { type Rendering, render, renderingVersion } from './rendering.ts'

/** Renderings of the sample below by version, newest last. */
const recorded: readonly Partial<Record<ServedFormat, string>>[] = [
  {
    txt: 'd4bb42b7d912168d',
    doc: 'db3697421c7bdd54',
    pdf: 'ff5a6dabfd7086ec',
    odt: '84d1ff428e1d8aa1',
    srt: 'aa852b98292f3740',
    sbv: '8dabfa9bf042a3f9',
    json: 'e39a5d47df9ca7e0',
  },
  {
    txt: 'd4bb42b7d912168d',
    doc: 'db3697421c7bdd54',
    pdf: 'ff5a6dabfd7086ec',
    odt: '84d1ff428e1d8aa1',
    srt: '988ef9c5347161d9',
    sbv: '141260ae2adee11d',
    json: 'e39a5d47df9ca7e0',
  },
  {
    txt: 'd4bb42b7d912168d',
    doc: '2a719ff0f6c8ea30',
    pdf: '7507e2eea1287bd4',
    odt: '21d215dfa07d8467',
    srt: '988ef9c5347161d9',
    sbv: '141260ae2adee11d',
    json: 'e39a5d47df9ca7e0',
  },
  {
    txt: 'd4bb42b7d912168d',
    doc: '2a719ff0f6c8ea30',
    pdf: '7507e2eea1287bd4',
    odt: '21d215dfa07d8467',
    srt: '6c8cef609a9a83e9',
    sbv: '141260ae2adee11d',
    json: 'e39a5d47df9ca7e0',
    docx: '0d1e7ecd4df3e9a6',
    md: '2d53a05c2952a81b',
    csv: '671f0ff3c46f534b',
    vtt: '4a255f73dcbf7096',
    ttml: 'e10b751f6f56e9ce',
    stl: 'aa5fa56271685fff',
  },
]

const said = ['um the the colour of my neighbor, uh, is grey', ...Object.values(trickyTexts)]
const words = said.flatMap((text, index) =>
  spokenWords(text, index * 10).map((word) => ({ ...word, speaker: index % 3 })),
)

const about = { title: 'Board meeting', created: '2026-11-21T09:30:00.000Z', durationMs: 150_000, progressPercent: 100 }
const samples: readonly Omit<Rendering, 'format'>[] = [
  { about: { ...about, options: specDefaultOptions }, words: { pieces: [JSON.stringify(words)], untilSeconds: 150 } },
  {
    about: {
      ...about,
      readableMs: 120_000,
      options: {
        ...specDefaultOptions,
        spelling_style: 'british',
        speaker_tracking_format: 'full names',
        transcript_template: 'blank double line spaced',
        speaker_names: ['Ann Baker', 'Bob'],
      },
    },
    words: { pieces: [JSON.stringify(words)], untilSeconds: 120 },
  },
  { about: { ...about, options: specDefaultOptions }, words: { pieces: [], untilSeconds: 0 } },
]

/**
 * The machine-independent content of a file: packed parts are unpacked, since zlibs differ, and a ZIP loses its times,
 * which are local. So do the offsets and lengths of a PDF's packed parts.
 */
function unpacked(bytes: Buffer, format: ServedFormat): string {
  if (format === 'odt' || format === 'docx')
    return JSON.stringify(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]))
  const text = bytes.toString('latin1')
  if (format !== 'pdf') return text
  return text
    .slice(0, text.lastIndexOf('\nxref'))
    .replaceAll(/(?<=\nstream\n)x\x9c.*?(?=\nendstream)/gs, (stream) =>
      inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
    )
    .replaceAll(/\/Length \d+/g, '/Length')
}

async function digestOf(format: ServedFormat): Promise<string> {
  const hash = createHash('sha256')
  for (const sample of samples) {
    hash.update(unpacked(await buffer(render({ ...sample, format })), format))
  }
  return hash.digest('hex').slice(0, 16)
}

it('is incremented whenever the output of a format changes', async () => {
  const digests = Object.fromEntries(
    await Promise.all(servedFormats.map(async (format) => [format, await digestOf(format)])),
  )
  const toDo =
    'Transcripts come out differently than before. If that is meant: raise renderingVersion in rendering.ts by one, so ' +
    'that nobody is served what older code rendered and stored, and add the received digests to the end of `recorded`.'
  expect(digests, toDo).toEqual(recorded.at(-1))
  expect(renderingVersion, toDo).toBe(recorded.length)
})
