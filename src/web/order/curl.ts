import type { OrderOptions } from '../../contract/option-values.ts'
import { apiUrl } from '../api/addresses.ts'
import { orderQuery } from '../options/option-words.ts'
import { showToast } from '../ui/toast.tsx'
import { mimeTypeOf } from '../uploads/tray/find-file.ts'
import type { Line } from '../uploads/tray/line.ts'
import type { PricedLine } from './priced-tray.ts'

/** One argument for a POSIX shell, whatever it holds. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * The request that orders this line, for a shell (spec 4.2, 5). The key is left to a variable, so that it lands in no
 * history and no chat.
 * @param defaults of the account: what is empty here though they are not is named
 * @param origin of the service, `https://…`
 */
export function curlOf(line: Line, options: OrderOptions, defaults: OrderOptions, origin: string): string {
  const url = new URL(apiUrl(line.owner.environment, `files${orderQuery(options, defaults)}`), origin).href
  const mimeType = line.source.kind === 'file' && line.source.file ? mimeTypeOf(line, line.source.file) : ''
  const type = mimeType === '' ? '' : `;type=${mimeType}`
  // curl reads quotes, semicolons and commas of a file name in -F itself: those are escaped inside double quotes.
  const path = `"${line.name.replaceAll(/["\\]/g, '\\$&')}"`
  const part = line.source.kind === 'link' ? `link=${line.source.url}` : `file=@${path}${type}`
  const form = line.source.kind === 'link' ? '--form-string' : '-F'
  return [
    'curl -u "$PARLEY_KEY:"',
    `-H ${shellQuote(`Idempotency-Key: ${line.id}`)}`,
    `${form} ${shellQuote(part)}`,
    shellQuote(url),
  ].join(' \\\n  ')
}

/** Puts the request for a line on the clipboard and says so. */
export async function copyCurl({ line, options }: PricedLine, defaults: OrderOptions): Promise<void> {
  await navigator.clipboard.writeText(curlOf(line, options, defaults, window.location.origin))
  showToast({ title: 'Copied as curl', detail: 'Set PARLEY_KEY to your API key before you run it.', tone: 'ok' })
}
