/** Decodes the text of a caption file: by its byte order mark, else UTF-8 if it is that, else Windows-1252. */
export function decodeCaptions(bytes: Uint8Array): { text: string; encoding: string } {
  const [first, second] = bytes
  const zeros = (from: number) => bytes.subarray(0, 400).filter((byte, at) => at % 2 === from && byte === 0).length
  const half = Math.min(400, bytes.length) / 2
  const decode = (label: string, encoding: string) => ({ text: new TextDecoder(label).decode(bytes), encoding })
  if ((first === 0xff && second === 0xfe) || zeros(1) > half * 0.7) return decode('utf-16le', 'UTF-16')
  if ((first === 0xfe && second === 0xff) || zeros(0) > half * 0.7) return decode('utf-16be', 'UTF-16')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return decode('windows-1252', 'Windows-1252')
  }
}
