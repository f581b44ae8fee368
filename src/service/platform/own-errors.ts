/**
 * Gives a callback that runs outside of Fastify's catch (a listener, a timer, a message) one owner of its errors, since
 * an uncaught one ends the process for everybody. `own-errors.test.ts` finds callbacks without.
 * @param work throws or rejects
 * @param fail gets the error; it must not throw
 */
export function ownErrors<Args extends unknown[]>(
  work: (...args: Args) => unknown,
  fail: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = work(...args)
      if (result instanceof Promise) result.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}
