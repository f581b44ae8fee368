import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'

/** The text of a downloaded file, with single spaces: of a PDF by pdftotext, of a DOC by catdoc, of a ZIP all entries. */
export function contentText(name: string, content: Uint8Array): string {
  const read = (program: string, ...args: string[]) => execFileSync(program, args, { input: content }).toString()
  const plain = () => {
    if (/\.(zip|docx|odt)$/.test(name)) {
      const files = Object.entries(unzipSync(content))
      return files.map(([file, bytes]) => contentText(file, bytes)).join('\n')
    }
    if (name.endsWith('.pdf')) return read('pdftotext', '-', '-')
    if (name.endsWith('.doc')) return read('catdoc', '-d', 'utf-8', '-')
    const text = Buffer.from(content).toString()
    return name.endsWith('.xml') ? text.replaceAll(/<[^>]*>/g, ' ') : text
  }
  return plain().replaceAll(/\s+/g, ' ')
}

/** The text of each page of a PDF, with single spaces. */
export function textOfPages(pdf: Uint8Array): string[] {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString()
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\s+/g, ' '))
}

/** The same of a file on disk. */
export async function downloadedText(path: string, name = path): Promise<string> {
  return contentText(name, await readFile(path))
}
