type Subscribe = (listener: () => void) => () => void

/**
 * The same subscription for what is looked at by people: it tells of the first change at once, and of those that follow
 * closely together, `everyMs` apart. Hundreds of small uploads change several times each.
 */
export function paced(subscribe: Subscribe, everyMs: number): Subscribe {
  return (listener) => {
    let toldAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer = undefined
      toldAt = performance.now()
      listener()
    }
    const stop = subscribe(() => {
      if (timer !== undefined) return
      const waitMs = toldAt + everyMs - performance.now()
      if (waitMs <= 0) tell()
      else timer = setTimeout(tell, waitMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }
}
