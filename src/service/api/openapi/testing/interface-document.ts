/** A section of an interface document: the text between its heading and the next. */
export type Section = { title: string; text: string }

/** Parses the numbered sections of a Markdown interface document, by number: `2.3` for `### 2.3 Order options`. */
export function readSections(markdown: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>()
  for (const part of markdown.split(/^#{2,3} /m).slice(1)) {
    const [heading = '', ...lines] = part.split('\n')
    const [number = '', ...title] = heading.split(' ')
    sections.set(number.replace(/\.$/, ''), { title: title.join(' '), text: lines.join('\n') })
  }
  return sections
}

function readCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Parses the rows of each table in a Markdown text, without header and separator. */
export function readTables(text: string): string[][][] {
  const tables = text.match(/(?:^\|.*\n?)+/gm) ?? []
  return tables.map((table) => table.trimEnd().split('\n').slice(2).map(readCells))
}

/** Parses the values of `name is one of: a, b, c.` in a text. */
export function readChoices(text: string, name: string): string[] {
  const found = new RegExp(`${name} is one of: ([^.]+)\\.`, 'i').exec(text)?.[1]
  return found?.split(',').map((word) => word.trim()) ?? []
}
