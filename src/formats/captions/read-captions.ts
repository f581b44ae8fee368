/** A caption of a file. Times in milliseconds, as they stand there: it may overlap others, or end before it begins. */
export type ReadCaption = { startMs: number; endMs: number; lines: string[]; isTop: boolean }

export type ReadCaptions = {
  captions: ReadCaption[]
  /** numbers of lines, from 1, whose times cannot be read */
  badLines: number[]
  /** whether text had tags, places or colors */
  hasMarkup: boolean
}

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`
const arrowLine = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(.*)$`)
const commaLine = new RegExp(String.raw`^\s*${time},${time}\s*$`)

function toMs([hours = '0', minutes = '0', seconds = '0', parts = '0']: readonly (string | undefined)[]): number {
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 + Number(parts.padEnd(3, '0'))
}

/** A time line's times and settings; null if it is none. */
function readTimeLine(line: string): { startMs: number; endMs: number; settings: string } | null {
  const found = arrowLine.exec(line) ?? commaLine.exec(line)
  if (found === null) return null
  return { startMs: toMs(found.slice(1, 5)), endMs: toMs(found.slice(5, 9)), settings: found[9] ?? '' }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '', quot: '"' }
const tags = /<\/?[a-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}/gi

/** Text without tags and overrides, and without what Parley's own files put in their place (`withoutCode`). */
function plainLine(line: string, isVtt: boolean): string {
  const text = line.replaceAll(tags, '').replaceAll('\u2060', '')
  const own = isVtt ? text.replaceAll(/&(\w+);/g, (all, name) => entities[name] ?? all) : text
  return own.replaceAll('\u2774', '{').replaceAll('\u2775', '}').replaceAll(/\s+/g, ' ').trim()
}

function isAtTop(text: string, settings: string): boolean {
  const line = /\bline:(\d+)(%?)/.exec(settings)
  const isTopLine = line !== null && (line[2] === '%' ? Number(line[1]) < 50 : Number(line[1]) < 5)
  return isTopLine || /\{[^{}]*\\an[789]\b/.test(text)
}

/**
 * Reads SubRip, WebVTT or SubViewer (YouTube's dialect), whichever it is. Text of SubRip may have empty lines; a number
 * before a time line belongs to it.
 */
export function readCaptions(text: string): ReadCaptions {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const isVtt = /^WEBVTT\b/.test(lines[0] ?? '')
  const isArrow = text.includes('-->')
  const captions: ReadCaption[] = []
  const badLines: number[] = []
  let hasMarkup = false
  let said: string[] | null = null
  const end = () => {
    const caption = captions.at(-1)
    if (said === null || caption === undefined) return
    const plain = said.map((line) => plainLine(line, isVtt)).filter((line) => line !== '')
    hasMarkup ||= said.some((line) => line.search(tags) >= 0)
    caption.lines.push(...plain)
    caption.isTop ||= isAtTop(said.join('\n'), '')
    said = null
  }
  for (const [index, line] of lines.entries()) {
    const times = readTimeLine(line)
    if (times === null && !line.includes('-->')) {
      if (line.trim() === '' && (isVtt || !isArrow)) end()
      else said?.push(line)
      continue
    }
    // The number above a time line; in SubRip, the text before it ends there.
    if (isArrow && !isVtt && said !== null && /^\s*\d+\s*$/.test(lines[index - 1] ?? '') && isBlank(lines[index - 2]))
      said.pop()
    end()
    if (times === null) {
      badLines.push(index + 1)
      continue
    }
    const { startMs, endMs, settings } = times
    captions.push({ startMs, endMs, lines: [], isTop: isAtTop('', settings) })
    said = []
  }
  end()
  return { captions, badLines, hasMarkup }
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''
