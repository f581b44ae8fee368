const timeoutMs = 8_000

/** Length of a recording in milliseconds as the browser's player reports it; null if it cannot play the format. */
export function playerLength(file: Blob, kind: 'audio' | 'video'): Promise<number | null> {
  const element = document.createElement(kind)
  const url = URL.createObjectURL(file)
  element.preload = 'metadata'
  return new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs)
    element.onloadedmetadata = () => {
      clearTimeout(timer)
      resolve(Number.isFinite(element.duration) && element.duration > 0 ? Math.round(element.duration * 1_000) : null)
    }
    element.onerror = () => {
      clearTimeout(timer)
      resolve(null)
    }
    element.src = url
  }).finally(() => {
    element.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
