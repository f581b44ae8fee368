import { mediaFormats } from '../../../../contract/interface/media-formats.ts'
import type { UploadFailure } from '../queue/upload-failure.ts'
import type { Upload } from './upload.ts'

/** The recording of an upload cannot be sent: it changed on disk or is gone. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  readonly failure: UploadFailure
  constructor(failure: UploadFailure) {
    super(failure.kind)
    this.failure = failure
  }
}

/**
 * The file to send, as the browser supplied it; null for links. Reads one byte, since only then does a browser notice
 * that the file has changed or gone since it was chosen.
 * @throws FileProblem
 */
export async function fileToSend(upload: Upload): Promise<Blob | null> {
  if (upload.source.kind === 'link') return null
  const { file } = upload.source
  if (file === null) throw new FileProblem({ kind: 'file-gone' })
  try {
    await file.slice(0, 1).arrayBuffer()
    return file
  } catch (error) {
    const isGone = error instanceof DOMException && error.name === 'NotFoundError'
    throw new FileProblem({ kind: isGone ? 'file-gone' : 'file-changed' })
  }
}

/** The MIME type to declare: the browser's if it matches the detected format, else that format's own. */
export function getMimeType({ inspection }: Upload, file: Blob): string {
  if (inspection === null || inspection.format === null) return file.type
  const types: readonly string[] = mediaFormats[inspection.format].mimeTypes
  return types.includes(file.type) ? file.type : (types[0] ?? file.type)
}
