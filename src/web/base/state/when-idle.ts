/** Calls back once the page has loaded and the browser is idle. Returns a cancel function. */
export function whenIdle(callback: () => void): () => void {
  // Safari lacks requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 300)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(callback)
  return () => cancelIdleCallback(asked)
}
