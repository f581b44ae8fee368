/**
 * An error response: its status (spec 7 or decision 6) and the text of `{"error"}`. Thrown by any room of the service,
 * caught once, in `http/answer-error.ts`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.headers = headers
  }
}
