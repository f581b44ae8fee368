type Subscribe = (listener: () => void) => () => void

/**
 * Throttles a subscription for display: the listener is called at the first change, and at most once per `everyMs` for
 * changes in quick succession. Hundreds of small uploads change several times each.
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
