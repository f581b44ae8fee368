import { safeFileName } from '../../../contract/interface/file-name.ts'

/** Saves a file through the browser's downloads, under a name valid on any file system. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  // A name is no path: the label “Board 3/11” is not cut to “11”.
  link.download = safeFileName(name.replaceAll(/[/\\]/g, '_'))
  link.click()
  // Some browsers read the URL only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
