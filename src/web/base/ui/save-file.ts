import { safeFileName } from '../../../contract/interface/file-name.ts'

/** Hands a file to the browser's downloads, under a name that any file system accepts. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = safeFileName(name)
  link.click()
  // Some browsers read the address only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
