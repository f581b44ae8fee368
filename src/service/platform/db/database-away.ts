/** PostgreSQL's codes for a failed connection (08…), too many connections, and a server shutting down. */
const awayCodes = /^(08...|53300|57P0[1-5]|ECONNRESET|EPIPE)$/
/** Its codes for work given up because of other work: a serialization failure, a deadlock, a lock timeout. */
const inTheWayCodes = /^(40001|40P01|55P03)$/

/** Messages of `pg` without a code, for a connection that breaks or cannot be opened. */
const awayWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|timeout expired)/

/** True if a query failed because PostgreSQL was unreachable; it is then unknown whether it took effect. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  return isConnecting || awayCodes.test(code) || awayWords.test(error.message)
}

/** True if PostgreSQL aborted a query because of concurrent work: it had no effect. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && inTheWayCodes.test(String(error.code))
}
