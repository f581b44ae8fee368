import { type Readable, Writable } from 'node:stream'

/** how much may be buffered between the source and the disk */
const highWaterMark = 1_048_576

/**
 * Reads a stream to its end and passes each chunk to `onChunk`, sequentially. Piped, since `for await` joins buffered
 * data into new buffers, which took twice the processor time. `content` is not destroyed if `onChunk` throws, so that a
 * request can still be answered.
 * @throws what `onChunk` throws; Error if the content aborts; the reason of `signal`
 */
export async function pour(
  content: Readable,
  onChunk: (chunk: Buffer) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const write = (chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) => {
    onChunk(chunk).then(() => done(), done)
  }
  const writer = new Writable({ highWaterMark, write })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  writer.once('finish', resolve).on('error', reject)
  const onClose = () => content.readableEnded || reject(new Error('The content ended unexpectedly.'))
  content.once('error', reject).once('close', onClose)
  const stop = () => reject(signal?.reason)
  signal?.addEventListener('abort', stop)
  try {
    if (content.destroyed) onClose() // a short stream may have failed before there were listeners
    content.pipe(writer)
    await promise
  } finally {
    signal?.removeEventListener('abort', stop)
    content.unpipe(writer)
    writer.destroy()
  }
}
