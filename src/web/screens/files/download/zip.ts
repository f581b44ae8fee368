import { saveFile } from '../../../base/ui/save-file.ts'
import { type ZipProgress, zipEntries } from './zip-entries.ts'
import type { ZipNews, ZipOrder } from './zip-worker.ts'

type SavePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

/** What is to be saved, and who hears of it. */
export type ZipJob = Omit<ZipOrder, 'fileName'> & { signal: AbortSignal; onProgress: (progress: ZipProgress) => void }

/**
 * Saves many transcripts as one archive: streamed to a file that the person chooses where the browser can do that, else
 * built by a worker and saved once it is whole; in memory where the browser has no private files. Must be called from a press, or the browser opens no file dialog.
 * @throws AbortError if the person closed the dialog or the signal ended it
 */
export async function saveZip(job: ZipJob): Promise<void> {
  const suggestedName = `transcripts ${new Date().toISOString().slice(0, 10)}.zip`
  const pick = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker
  if (!pick && navigator.storage?.getDirectory !== undefined) return await buildInWorker(job, suggestedName)
  const types = [{ description: 'ZIP archive', accept: { 'application/zip': ['.zip'] } }]
  const handle = await pick?.call(window, { suggestedName, types })
  const entries = zipEntries(job, job.signal, job.onProgress)
  // Loaded on demand, after the dialog, which opens only right after a press.
  const { makeZip } = await import('client-zip')
  const archive = makeZip(entries)
  if (handle) await archive.pipeTo(await handle.createWritable(), { signal: job.signal })
  else saveFile(await new Response(archive).blob(), suggestedName)
}

const leftOverMs = 60 * 60_000

/** Removes archives of tabs that were closed before they could. One that may still be written or copied stays. */
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
    // The browser copies it in the background; what closed tabs left behind is removed with the next archive.
    setTimeout(() => void folder.removeEntry(fileName).catch(() => {}), 5 * 60_000)
  } finally {
    worker.terminate()
  }
}
