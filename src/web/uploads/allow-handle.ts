import { showToast } from '../ui/toast.tsx'
import { lines, queue } from './uploads.ts'

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
    if (file.size !== line.bytes || file.lastModified !== line.source.lastModified) {
      lines.change([id], { state: { is: 'failed', failure: { kind: 'file-changed' } } })
      return
    }
    lines.change([id], { source: { ...line.source, file } })
    queue.pump()
  } catch {
    showToast({ title: 'The file was not found', detail: 'Drop it on this page to go on.', tone: 'bad' })
  }
}
