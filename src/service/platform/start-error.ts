/** Startup, or a command, cannot continue; the message is one line for its caller. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The first line of an error, for one-line messages. */
export function explainError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
