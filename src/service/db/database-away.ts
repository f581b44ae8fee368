/** PostgreSQL's codes for a connection that failed (08…) and for a server that is shut down (57P0…). */
const awayCodes = /^(08...|57P0[1-5]|ECONNRESET|EPIPE)$/

/** What `pg` says without a code where a connection breaks or does not come about. */
const awayWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/** True where a query failed because PostgreSQL could not be reached; whether it was done is unknown then. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  return isConnecting || awayCodes.test(code) || awayWords.test(error.message)
}
