import { showToast } from '../../ui/toast.tsx'
import { lines, queue } from '../uploads.ts'
import { inspectLines } from './inspector.ts'

/** What browsers with file handles offer beside the standard's types. */
type AskableHandle = FileSystemFileHandle & {
  requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>
}

/** Gives a line back its file by the handle that was kept; the browser asks the person first. */
export async function allowHandle(id: string, handle: AskableHandle): Promise<void> {
  try {
    if ((await handle.requestPermission?.({ mode: 'read' })) !== 'granted') return
    const file = await handle.getFile()
    const line = lines.get(id)
    if (line?.source.kind !== 'file') return
    const source = { ...line.source, file, lastModified: file.lastModified }
    const isSame = file.size === line.bytes && file.lastModified === line.source.lastModified
    if (line.state.is === 'draft') {
      // Nothing is agreed to yet, so a newer version is simply read anew.
      lines.change([id], isSame ? { source } : { source, bytes: file.size, inspection: null })
      inspectLines(lines.all().filter((one) => one.id === id && one.inspection === null))
    } else if (isSame) {
      lines.change([id], { source })
      queue.pump()
    } else lines.change([id], { state: { is: 'failed', failure: { kind: 'file-changed' } } })
  } catch {
    showToast({ title: 'The file was not found', detail: 'Drop it on this page to go on.', tone: 'bad' })
  }
}
