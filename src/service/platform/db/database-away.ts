/** PostgreSQL's codes for a connection that failed (08…), for no room for one, and for a server that is shut down. */
const awayCodes = /^(08...|53300|57P0[1-5]|ECONNRESET|EPIPE)$/
/** Its codes for work that was given up, as other work was in its way: a collision, a deadlock, a lock not got in time. */
const inTheWayCodes = /^(40001|40P01|55P03)$/

/** What `pg` says without a code where a connection breaks or does not come about. */
const awayWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|timeout expired)/

/** True if a query failed because PostgreSQL could not be reached; whether it was done is unknown then. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  return isConnecting || awayCodes.test(code) || awayWords.test(error.message)
}

/** True where PostgreSQL gave a query up, as others were in its way: nothing was done. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && inTheWayCodes.test(String(error.code))
}
