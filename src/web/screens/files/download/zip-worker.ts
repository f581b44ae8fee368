import { makeZip } from 'client-zip'
import type { ExportFormat } from '../../../../formats/format-table.ts'
import type { Session } from '../../../base/api/client.ts'
import type { Choices } from '../../../transcript/downloads/choices.ts'
import { type ZipItem, type ZipProgress, zipEntries } from './zip-entries.ts'

export type ZipOrder = { session: Session; items: ZipItem[]; format: ExportFormat; choices: Choices; fileName: string }
export type ZipNews =
  | { kind: 'progress'; progress: ZipProgress }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }

/** Available only in workers, so it is missing in the DOM's types. */
type SyncAccess = {
  truncate(size: number): void
  write(piece: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}
type WorkerFileHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccess> }

const say = (news: ZipNews): void => postMessage(news)

/**
 * Builds an archive in the origin private file system, if the browser cannot stream to a chosen file: memory holds one
 * piece at a time, the page reads the finished file from there.
 */
async function build({ fileName, ...order }: ZipOrder): Promise<void> {
  const folder = await navigator.storage.getDirectory()
  const handle = (await folder.getFileHandle(fileName, { create: true })) as WorkerFileHandle
  const file = await handle.createSyncAccessHandle()
  try {
    const { signal } = new AbortController()
    const entries = zipEntries(order, signal, (progress) => say({ kind: 'progress', progress }))
    let at = 0
    file.truncate(0)
    const write = (piece: Uint8Array) => {
      at += file.write(piece, { at })
    }
    // Safari's streams are not iterable.
    await makeZip(entries).pipeTo(new WritableStream({ write }))
    file.flush()
  } finally {
    file.close()
  }
}

addEventListener('message', ({ data }: MessageEvent<ZipOrder>) => {
  build(data).then(
    () => say({ kind: 'done' }),
    (error: unknown) => say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
