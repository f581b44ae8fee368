/** Makes a function that runs works one after the other, in the order in which they came; one that fails stops none. */
export function inOrder(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.catch(() => undefined).then(work)
    last = done
    return done
  }
}
