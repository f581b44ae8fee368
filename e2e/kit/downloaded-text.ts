import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'

function textOf(name: string, content: Uint8Array): string {
  if (name.endsWith('.zip')) {
    const files = Object.entries(unzipSync(content))
    return files.map(([file, bytes]) => textOf(file, bytes)).join('\n')
  }
  const text = name.endsWith('.pdf') ? execFileSync('pdftotext', ['-', '-'], { input: content }) : Buffer.from(content)
  return text.toString().replaceAll(/\s+/g, ' ')
}

/** The text of each page of a PDF, with single spaces. */
export function textOfPages(pdf: Uint8Array): string[] {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString()
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\s+/g, ' '))
}

/** The text of a downloaded file, with single spaces: of a PDF by pdftotext, of a ZIP all entries. */
export async function downloadedText(path: string, name = path): Promise<string> {
  return textOf(name, await readFile(path))
}
