/** Calls back once the page stands and the browser is idle. Returns a function that stops. */
export function whenIdle(callback: () => void): () => void {
  // Safari does not report that it is idle.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 300)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(callback)
  return () => cancelIdleCallback(asked)
}
