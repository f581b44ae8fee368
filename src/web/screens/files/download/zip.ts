import { safeFileName } from '../../../../contract/interface/file-name.ts'
import { saveFile } from '../../../base/ui/save-file.ts'
import type { NamedArchive } from '../../../signed-in/file-actions/file-action.ts'
import { type ZipProgress, zipEntries } from './zip-entries.ts'
import type { ZipNews, ZipOrder } from './zip-worker.ts'

type SavePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

/** What to save, and the callback for progress. */
export type ZipJob = Omit<ZipOrder, 'fileName'> & {
  /** with which the saved file's name begins; a day follows unless it has one */
  archive?: Pick<NamedArchive, 'name' | 'isDated'> | undefined
  signal: AbortSignal
  onProgress: (progress: ZipProgress) => void
}

/**
 * Saves many transcripts as one archive: streamed to a file chosen by the user if the browser can, else built by a
 * worker and saved once complete; in memory if there is no private file system. Must be called from a user gesture, or
 * the browser opens no file dialog.
 * @throws AbortError if the user closed the dialog or the signal aborts it
 */
export async function saveZip({ archive: { name, isDated } = { name: 'transcripts' }, ...job }: ZipJob): Promise<void> {
  const day = isDated ? '' : ` ${new Date().toISOString().slice(0, 10)}`
  const suggestedName = safeFileName(`${name.replaceAll(/[/\\]/g, '_')}${day}.zip`)
  const pick = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker
  if (!pick && navigator.storage?.getDirectory !== undefined) return await buildInWorker(job, suggestedName)
  const types = [{ description: 'ZIP archive', accept: { 'application/zip': ['.zip'] } }]
  const handle = await pick?.call(window, { suggestedName, types })
  const entries = zipEntries(job, job.signal, job.onProgress)
  // Loaded on demand, after the dialog, which opens only right after a user gesture.
  const { makeZip } = await import('client-zip')
  const archive = makeZip(entries)
  if (handle) await archive.pipeTo(await handle.createWritable(), { signal: job.signal })
  else saveFile(await new Response(archive).blob(), suggestedName)
}

const leftOverMs = 60 * 60_000

/** Removes archives of tabs that closed before cleaning up. Keeps those that may still be written or copied. */
async function removeLeftOvers(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file' || !/^parley-.*\.zip$/.test(name)) continue
    const { lastModified } = await (handle as FileSystemFileHandle).getFile()
    if (Date.now() - lastModified > leftOverMs) await folder.removeEntry(name).catch(() => {})
  }
}

async function buildInWorker({ signal, onProgress, ...order }: ZipJob, name: string): Promise<void> {
  const fileName = `parley-${crypto.randomUUID()}.zip`
  const worker = new Worker(new URL('./zip-worker.ts', import.meta.url), { type: 'module' })
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.addEventListener('message', ({ data }: MessageEvent<ZipNews>) => {
        if (data.kind === 'progress') onProgress(data.progress)
        else if (data.kind === 'done') resolve()
        else reject(new Error(data.message))
      })
      worker.postMessage({ ...order, fileName } satisfies ZipOrder)
    })
    const folder = await navigator.storage.getDirectory()
    await removeLeftOvers(folder)
    saveFile(await (await folder.getFileHandle(fileName)).getFile(), name)
    // The browser copies it in the background; leftovers of closed tabs are removed with the next archive.
    setTimeout(() => void folder.removeEntry(fileName).catch(() => {}), 5 * 60_000)
  } finally {
    worker.terminate()
  }
}
