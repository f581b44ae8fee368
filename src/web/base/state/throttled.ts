type Subscribe = (listener: () => void) => () => void

/**
 * The same subscription, throttled for what people look at: the listener hears of the first change at once and of those
 * that follow closely at most once in `everyMs`. Hundreds of small uploads change several times each.
 */
export function throttled(subscribe: Subscribe, everyMs: number): Subscribe {
  return (listener) => {
    let notifiedAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined
    const notify = () => {
      timer = undefined
      notifiedAt = performance.now()
      listener()
    }
    const stop = subscribe(() => {
      if (timer !== undefined) return
      const waitMs = notifiedAt + everyMs - performance.now()
      if (waitMs <= 0) notify()
      else timer = setTimeout(notify, waitMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }
}
