import { mediaFormats } from '../../contract/media-formats.ts'
import type { Failure } from './failure.ts'
import type { Line } from './line.ts'

/** The recording of a line cannot be sent: it changed or went away on disk. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

/**
 * The bytes to send, with the MIME type that the first bytes stand for; null for links. One byte is read, since a
 * browser notices only then that a file changed or went away since it was chosen.
 * @throws FileProblem
 */
export async function findFile(line: Line): Promise<Blob | null> {
  if (line.source.kind === 'link') return null
  const { file } = line.source
  if (file === null) throw new FileProblem({ kind: 'file-gone' })
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch (error) {
    const isGone = error instanceof DOMException && error.name === 'NotFoundError'
    throw new FileProblem({ kind: isGone ? 'file-gone' : 'file-changed' })
  }
  const format = line.inspection?.format ?? null
  const mimeType = format === null ? file.type : mediaFormats[format].mimeTypes[0]
  return file.type === mimeType ? file : file.slice(0, file.size, mimeType)
}
