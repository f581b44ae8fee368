import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Transcript } from '../../text/transcript.ts'
import { anyTranscript, sampleTranscript } from '../testing/sample-transcripts.ts'
import { renderDoc } from './doc/doc.ts'
import { renderDocx } from './docx.ts'
import { renderOdt } from './odt.ts'
import { columnWidths } from './page-measures.ts'
import { documentParagraphs } from './paragraphs.ts'
import { wordRuns } from './word-runs.ts'

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const renderers = { doc: renderDoc, odt: renderOdt, docx: renderDocx }

function render(transcript: Transcript, format: keyof typeof renderers): Uint8Array<ArrayBuffer> {
  return joined([...renderers[format](transcript)])
}

function texts(transcript: Transcript): string[] {
  const columns = columnWidths(transcript)
  return [...documentParagraphs(transcript)].map((paragraph) => {
    const runs = wordRuns(paragraph, columns)
    return runs.map(({ text }) => text).join('')
  })
}

/** The text between the tags of each paragraph, entities decoded. */
function paragraphsOfXml(xml: string, paragraph: RegExp): string[] {
  const undone: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }
  return [...xml.matchAll(paragraph)].map(([, inner = '']) =>
    inner
      .replaceAll(/<(?:text:|w:)tab\/>/g, '\t')
      .replaceAll(/<(?:text:line-break|w:br)\/>/g, '\n')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&(?:lt|gt|amp|quot);/g, (entity) => undone[entity] ?? ''),
  )
}

/**
 * The text of a Word document, parsed per the specification: directory, allocation chain, piece; up to the end of the
 * main text.
 */
function textOfDoc(bytes: Uint8Array<ArrayBuffer>): string {
  const view = new DataView(bytes.buffer)
  const sector = (index: number) => 512 * (index + 1)
  const difat: number[] = []
  for (let index = 0; index < 109; index++) difat.push(view.getUint32(76 + index * 4, true))
  for (let at = view.getUint32(68, true), left = view.getUint32(72, true); left > 0; left--) {
    for (let index = 0; index < 127; index++) difat.push(view.getUint32(sector(at) + index * 4, true))
    at = view.getUint32(sector(at) + 508, true)
  }
  const next = (index: number) => view.getUint32(sector(difat[Math.floor(index / 128)] ?? 0) + (index % 128) * 4, true)
  const entry = sector(view.getUint32(48, true)) + 2 * 128
  const main: Uint8Array[] = []
  for (let at = view.getUint32(entry + 116, true); at !== 0xfffffffe; at = next(at)) {
    main.push(bytes.subarray(sector(at), sector(at) + 512))
  }
  const stream = joined(main)
  const fib = new DataView(stream.buffer)
  expect(stream.length).toBeGreaterThanOrEqual(view.getUint32(entry + 120, true))
  const units = new Uint16Array(stream.buffer.slice(fib.getUint32(24, true), fib.getUint32(28, true)))
  return [...units].map((unit) => String.fromCharCode(unit)).join('')
}

describe('documents', () => {
  it('contain every paragraph of any transcript', () => {
    fc.assert(
      fc.property(anyTranscript({ sorted: true }), (transcript) => {
        const said = texts(transcript)
        expect(textOfDoc(render(transcript, 'doc'))).toBe(
          said.map((text) => `${text.replaceAll('\n', '\u000b')}\r`).join(''),
        )
        const odt = strFromU8(unzipSync(render(transcript, 'odt'))['content.xml'] ?? new Uint8Array())
        expect(paragraphsOfXml(odt, /<text:[ph] [^>]*>(.*)<\/text:[ph]>/g)).toEqual(said)
        const docx = strFromU8(unzipSync(render(transcript, 'docx'))['word/document.xml'] ?? new Uint8Array())
        expect(paragraphsOfXml(docx, /<w:p>(.*)<\/w:p>/g)).toEqual(said)
      }),
    )
  })

  it('are spaced as the template says, and the blank ones have no header', () => {
    const said = [['Ann', 'Hello.']] as const
    const styles = (template: 'service single line spaced' | 'blank double line spaced') =>
      strFromU8(
        unzipSync(render(sampleTranscript(said, { transcript_template: template }), 'odt'))['styles.xml'] ??
          new Uint8Array(),
      )
    expect(styles('service single line spaced')).toContain('fo:line-height="110%"')
    expect(styles('service single line spaced')).toContain('Board meeting')
    expect(styles('blank double line spaced')).toContain('fo:line-height="220%"')
    expect(styles('blank double line spaced')).not.toContain('Board meeting')
    expect(texts(sampleTranscript(said, { transcript_template: 'blank double line spaced' }))).toEqual([
      '00:00\tAnn\tHello.',
    ])
  })

  it('say which paragraphs run from right to left', () => {
    const paragraphs = [
      ...documentParagraphs(
        sampleTranscript([['Ann', '12 שלום abc']], { transcript_template: 'blank single line spaced' }),
      ),
    ]
    expect(paragraphs.map(({ rightToLeft }) => rightToLeft)).toEqual([true])
  })
})
