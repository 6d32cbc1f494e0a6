/**
 * No answer came: the connection failed or broke off, or the attempt took longer than `timeout`. The service
 * may have done what was asked: repeat a write only with the same Idempotency-Key. `cause` is the error of
 * `fetch`.
 */
export class TaxConnectionError extends Error {
  override readonly name = 'TaxConnectionError'
  /** Whether the time limit of the attempt ended it. */
  readonly timed_out: boolean

  constructor(url: string, cause: unknown, timed_out: boolean) {
    const why = timed_out ? 'the time limit was reached' : whyOf(cause)
    super(`No answer from ${new URL(url).origin}: ${why}`, { cause })
    this.timed_out = timed_out
  }
}

/** Node says only "fetch failed", and the fault in the cause. */
function whyOf(thrown: unknown): string {
  const { cause, message } = Object(thrown)
  return (
    (cause instanceof Error && (cause.message || String(Object(cause).code))) || String(message ?? thrown)
  )
}
