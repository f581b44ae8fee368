import { parse } from 'content-disposition'
import { safeFileName } from '../../../contract/interface/file-name.ts'

/** The file name in a Content-Disposition header (RFC 6266, `filename*` first), else `fallback`; safe to save under. */
export function dispositionName(header: string | null, fallback: string): string {
  try {
    return safeFileName(parse(header ?? '').parameters.filename || fallback)
  } catch {
    return safeFileName(fallback)
  }
}
