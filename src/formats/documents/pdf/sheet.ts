import { isRightToLeft } from '../../text-direction.ts'
import { grey, lineHeight, page } from '../page-measures.ts'
import { Fonts } from './fonts.ts'
import { Glyphs } from './glyphs.ts'
import { type Look, PdfInk } from './ink.ts'
import { type Line, textLines } from './lines.ts'
import { openDocument } from './open-document.ts'
import type { PdfKit } from './pdfkit-port.ts'

/**
 * Texts beside each other, each wrapped in its share of the width (`from` and `to`, 0 to 1), with a line for each of their
 * lines, which have directions of their own; `after` in points.
 */
export type SheetRow = {
  look: 'title' | 'strong' | 'text' | 'item' | 'small'
  after: number
  cells: readonly { text: string; from: number; to: number; isRight?: boolean }[]
}

/**
 * A paper of rows, such as an invoice. `created`: ISO 8601; `end`: its last rows, on one page; `again`: rows at the head of
 * each page but the first.
 */
export type Sheet = {
  title: string
  created: string
  rows: readonly SheetRow[]
  end: readonly SheetRow[]
  again: readonly SheetRow[]
}

const looks: Record<SheetRow['look'], Look> = {
  title: { size: 20, weight: 'bold', color: '000000' },
  strong: { size: 10, weight: 'bold', color: '000000' },
  text: { size: 10, weight: 'regular', color: '000000' },
  item: { size: 9, weight: 'regular', color: '000000' },
  small: { size: 9, weight: 'regular', color: grey },
}
const [bottom, width, gap] = [page.height - page.bottom, page.width - 2 * page.side, 8]

/** Sets the rows of a sheet on pages. */
class SheetPages {
  readonly #ink: PdfInk
  readonly #glyphs: Glyphs
  readonly #again: Sheet['again']
  #pages = 0
  #y = Number.POSITIVE_INFINITY

  constructor(ink: PdfInk, glyphs: Glyphs, again: Sheet['again']) {
    this.#again = again
    this.#ink = ink
    this.#glyphs = glyphs
  }

  /** Rows on one page, if they fit on one. */
  together(rows: readonly SheetRow[]): void {
    this.#makeRoom(rows.reduce((sum, row) => sum + this.#set(row).height + row.after, 0))
    for (const row of rows) this.row(row)
  }

  #set({ look: name, cells }: SheetRow) {
    const look = looks[name]
    const step = look.size * lineHeight
    const measure = (word: string) => this.#glyphs.width(word, look.weight, look.size)
    const set = cells.map((cell) => {
      const room = (cell.to - cell.from) * width - gap
      const lines = cell.text.split('\n').flatMap((text) => {
        const parts = [{ text, kind: 'said' as const }]
        return [...textLines({ parts, rightToLeft: isRightToLeft(text) }, room, measure)]
      })
      return { ...cell, lines }
    })
    return { set, step, look, height: Math.max(0, ...set.map(({ lines }) => lines.length)) * step }
  }

  #makeRoom(height: number): void {
    if (this.#y + height <= bottom) return
    this.#newPage()
    if (this.#pages > 1) for (const each of this.#again) this.row(each)
  }

  row(row: SheetRow): void {
    const { look: name, after } = row
    const { set, step, look, height } = this.#set(row)
    this.#makeRoom(height)
    for (const { lines, from, to, isRight } of set) {
      if (lines.length === 0) continue
      this.#ink.begin(name === 'title' ? 'H1' : 'P', {})
      for (const [index, line] of lines.entries()) {
        const left = page.side + (isRight ? to * width - this.#widthOf(line, look) : from * width)
        this.#line(line, left, this.#y + index * step + look.size, look)
      }
      this.#ink.end()
    }
    this.#y += height + after
  }

  #newPage(): void {
    this.#ink.newPage()
    this.#pages += 1
    this.#y = page.top
    const look = looks.small
    const text = `Page ${this.#pages} of `
    const line: Line = [{ text, kind: 'said', rightToLeft: false }]
    const y = page.height - page.bottom / 2 + 3
    const left = (page.width - this.#widthOf(line, look)) / 2
    this.#ink.artifact('Bottom', () => this.#ink.total(this.#line(line, left, y, look), y, look))
  }

  #widthOf(line: Line, { size, weight }: Look): number {
    const shaped = line.map(({ text, rightToLeft }) => this.#glyphs.shape(text, weight, rightToLeft).width)
    return (shaped.reduce((sum, own) => sum + own, 0) * size) / 1_000
  }

  /** @returns where it ends */
  #line(line: Line, from: number, y: number, look: Look): number {
    let x = from
    for (const { text, rightToLeft } of line) {
      const shaped = this.#glyphs.shape(`${text}${rightToLeft ? '' : ' '}`, look.weight, rightToLeft)
      const own = this.#widthOf([{ text, kind: 'said', rightToLeft }], look)
      this.#ink.text({ text, rightToLeft, x, y, width: own, look }, shaped)
      x += own
    }
    return x
  }
}

/** A sheet as PDF, by the same maker as transcripts' documents: tagged, with its fonts in it. */
export async function renderSheet(sheet: Sheet, kit: PdfKit): Promise<Uint8Array[]> {
  const ready: Uint8Array[] = []
  const about = { title: sheet.title, created: sheet.created, lang: 'en' }
  const document = openDocument(about, kit, (chunk) => void (chunk !== null && ready.push(chunk)))
  const texts = [...sheet.rows, ...sheet.end, ...sheet.again].flatMap(({ cells }) => cells.map(({ text }) => text))
  const glyphs = new Glyphs(await Fonts.open(document, kit, texts))
  const ink = new PdfInk(document, glyphs)
  const pages = new SheetPages(ink, glyphs, sheet.again)
  for (const row of sheet.rows) pages.row(row)
  pages.together(sheet.end)
  ink.finish()
  return ready
}
