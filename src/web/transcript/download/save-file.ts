/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has begun with the click; the address may go once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
