import { type Readable, Writable } from 'node:stream'

/** what may wait between where bytes come from and the disk */
const highWaterMark = 1_048_576

/**
 * Hands everything that comes to `take`, chunk by chunk, each once the last is taken. Piped, since reading by `for
 * await` joins what has gathered into new buffers: that took twice the processor time. `content` is left as it is where
 * `take` throws, so that a request can still be answered.
 * @throws what `take` throws; Error where the content breaks off
 */
export async function pour(content: Readable, take: (chunk: Buffer) => Promise<void>): Promise<void> {
  const write = (chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) => {
    take(chunk).then(() => done(), done)
  }
  const writer = new Writable({ highWaterMark, write })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  writer.once('finish', resolve).on('error', reject)
  const onClose = () => content.readableEnded || reject(new Error('The content broke off.'))
  content.once('error', reject).once('close', onClose)
  try {
    if (content.destroyed) onClose() // what is short has failed before it could be listened to
    content.pipe(writer)
    await promise
  } finally {
    content.unpipe(writer)
    writer.destroy()
  }
}
