import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { inspector, queue, twinComparer, uploadList } from '../uploads.ts'
import { type FileSource, isToRead, type Upload } from './upload.ts'

/** Nonstandard API of browsers with file handles. */
type Askable = { requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState> }

/** True for an upload that lost its file in a reload, if this device can find it again. */
export function canReopen({ source }: Upload): boolean {
  return source.kind === 'file' && source.file === null && source.handle !== null
}

/**
 * Reopens the files of uploads by their stored handles. The browser asks for permission, once for all files of a
 * folder.
 */
export async function reopenFiles(uploads: readonly Upload[]): Promise<void> {
  const files = new Map<string, File>()
  let missing = 0
  for (const { id, source } of uploads) {
    if (source.kind !== 'file' || source.handle === null) continue
    try {
      if ((await (source.handle as Askable).requestPermission?.({ mode: 'read' })) !== 'granted') break
      files.set(id, await openHandle(source.handle, source.path))
    } catch {
      missing += 1
    }
  }
  uploadList.change([...files.keys()], (upload) => withFile(upload, files.get(upload.id) as File))
  inspector.inspect(uploadList.all().filter((upload) => files.has(upload.id) && isToRead(upload)))
  // What was compared before a reload is no longer known.
  twinComparer.compare()
  queue.pump()
  if (missing === 0) return
  const title = missing === 1 ? 'The file was not found' : `${formatCount(missing, 'file')} were not found`
  showToast({ tone: 'bad', title, detail: `Drop ${missing === 1 ? 'it' : 'them'} on this page to continue.` })
}

async function openHandle(handle: NonNullable<FileSource['handle']>, path: readonly string[] = []): Promise<File> {
  if (handle.kind === 'file') return await handle.getFile()
  let folder = handle
  for (const name of path.slice(0, -1)) folder = await folder.getDirectoryHandle(name)
  return await (await folder.getFileHandle(path.at(-1) ?? '')).getFile()
}

function withFile(upload: Upload, file: File): Partial<Upload> {
  if (upload.source.kind !== 'file') return {}
  const source = { ...upload.source, file, lastModified: file.lastModified }
  const isSame = file.size === upload.bytes && file.lastModified === upload.source.lastModified
  if (isSame) return { source }
  // Nothing is agreed to while in the tray, so a newer version is simply read again.
  if (upload.state.is === 'draft') return { source, bytes: file.size, inspection: null }
  return { state: { is: 'failed', failure: { kind: 'file-changed' } } }
}
