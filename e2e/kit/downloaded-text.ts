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

/** What stands on each page of a PDF, with single blanks. */
export function textOfPages(pdf: Uint8Array): string[] {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString()
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\s+/g, ' '))
}

/** What somebody reads in a downloaded file, with single blanks: of a PDF by pdftotext, of a ZIP all that is in it. */
export async function downloadedText(path: string, name = path): Promise<string> {
  return textOf(name, await readFile(path))
}
