import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { orderQuery } from '../../../contract/interface/order-options.ts'
import { apiUrl } from '../../base/api/addresses.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { getMimeType } from '../../signed-in/uploads/tray/file-to-send.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import type { PricedUpload } from './priced-tray.ts'

/** Quotes one argument for a POSIX shell, whatever it contains. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * The request that orders this upload, for a shell (spec 4.2, 5). The key is a shell variable, to keep it out of
 * histories and chats.
 * @param defaults of the account: an option that is empty here but set there is sent explicitly
 * @param origin of the service, `https://…`
 */
export function buildCurl(upload: Upload, options: OrderOptions, defaults: OrderOptions, origin: string): string {
  const url = new URL(apiUrl(upload.owner.environment, `files${orderQuery(options, defaults)}`), origin).href
  const mimeType = upload.source.kind === 'file' && upload.source.file ? getMimeType(upload, upload.source.file) : ''
  const type = mimeType === '' ? '' : `;type=${mimeType}`
  // curl interprets quotes, semicolons and commas in the file name of -F, unless it is quoted and escaped.
  const path = `"${upload.name.replaceAll(/["\\]/g, '\\$&')}"`
  const part = upload.source.kind === 'link' ? `link=${upload.source.url}` : `file=@${path}${type}`
  const form = upload.source.kind === 'link' ? '--form-string' : '-F'
  return [
    'curl -u "$PARLEY_KEY:"',
    `-H ${shellQuote(`Idempotency-Key: ${upload.id}`)}`,
    ...(upload.sound ? [`-H 'Order-Sound: ${upload.sound}'`] : []),
    `${form} ${shellQuote(part)}`,
    shellQuote(url),
  ].join(' \\\n  ')
}

/** Copies the request for an upload to the clipboard and confirms it. */
export async function copyCurl({ upload, options }: PricedUpload, defaults: OrderOptions): Promise<void> {
  await navigator.clipboard.writeText(buildCurl(upload, options, defaults, window.location.origin))
  showToast({ title: 'Copied as curl', detail: 'Set PARLEY_KEY to your API key before you run it.', tone: 'ok' })
}
