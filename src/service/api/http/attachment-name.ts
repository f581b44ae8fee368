import { create as contentDisposition } from 'content-disposition'

/**
 * Builds a Content-Disposition with an ASCII name for old clients and the full name for all others (decision 2: RFC
 * 6266, RFC 8187), always quoted, as simple clients expect.
 */
export function attachmentNamed(name: string): string {
  const header = contentDisposition(name).replace(/^attachment; filename=([^";]+)/, 'attachment; filename="$1"')
  if (header.includes("; filename*=UTF-8''")) return header
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${header}; filename*=UTF-8''${encoded}`
}
