import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { goalText, type Measurement, valueText } from './measurement.ts'

/** Insertion point for benches new to the page. */
const lastLine = '<!-- further benches come above this line -->'

/** `2 cores of Ampere Altra, 8 GB, Node 24.21.0, load 0.4`: context for interpreting the figures. */
export function describeMachine(): string {
  const [first] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const model = (first?.model ?? 'unknown').replaceAll(/\((?:R|TM)\)/g, '').trim()
  return `${cpus().length} cores of ${model}, ${gigabytes} GB, Node ${process.versions.node}, load ${load}`
}

function tableOf(measurements: readonly Measurement[]): string {
  const rows = measurements.map((one) => `| ${one.what} | ${valueText(one)} | ${goalText(one)} |`)
  return ['| What | Figure | Goal |', '|---|---|---|', ...rows].join('\n')
}

/** The page with one bench's section replaced, or added if it has none. */
function replaceSection(page: string, command: string, content: string): string {
  const [start, end] = [`<!-- bench: ${command} -->`, `<!-- end: ${command} -->`]
  const section = `${start}\n\n${content}\n\n${end}`
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from !== -1 && to > from) return page.slice(0, from) + section + page.slice(to + end.length)
  if (!page.includes(lastLine)) throw new Error(`The page has no line "${lastLine}".`)
  return page.replace(lastLine, () => `## ${command}\n\n${section}\n\n${lastLine}`)
}

/**
 * Replaces a bench's figures in a page of docs/figures; all others stay.
 * @param command the bench's name and options, as `upload --size 10g`: each has its own section
 * @param machine described before the bench, whose own work is not load
 */
export async function writeFigures(
  page: 'performance' | 'reliability',
  command: string,
  machine: string,
  measurements: readonly Measurement[],
): Promise<void> {
  const pagePath = join(import.meta.dirname, `../../../docs/figures/${page}.md`)
  const date = new Date().toISOString().slice(0, 10)
  const text = await readFile(pagePath, 'utf8')
  await writeFile(pagePath, replaceSection(text, command, `${date} · ${machine}\n\n${tableOf(measurements)}`))
}
