import { showToast } from '../../ui/toast.tsx'
import { inspector, queue, uploadList } from '../uploads.ts'

/** What browsers with file handles offer beside the standard's types. */
type AskableHandle = FileSystemFileHandle & {
  requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>
}

/** Opens the file of an upload again by its stored handle; the browser asks the person for permission first. */
export async function reopenFile(id: string, handle: AskableHandle): Promise<void> {
  try {
    if ((await handle.requestPermission?.({ mode: 'read' })) !== 'granted') return
    const file = await handle.getFile()
    const upload = uploadList.get(id)
    if (upload?.source.kind !== 'file') return
    const source = { ...upload.source, file, lastModified: file.lastModified }
    const isSame = file.size === upload.bytes && file.lastModified === upload.source.lastModified
    if (upload.state.is === 'draft') {
      // Nothing is agreed to yet, so a newer version is simply read anew.
      uploadList.change([id], isSame ? { source } : { source, bytes: file.size, inspection: null })
      inspector.inspect(uploadList.all().filter((one) => one.id === id && one.inspection === null))
    } else if (isSame) {
      uploadList.change([id], { source })
      queue.pump()
    } else uploadList.change([id], { state: { is: 'failed', failure: { kind: 'file-changed' } } })
  } catch {
    showToast({ title: 'The file was not found', detail: 'Drop it on this page to go on.', tone: 'bad' })
  }
}
