/** Long enough for the first request of a cold service on a machine with 20 busy processes: 34 s measured. */
const PROBE_MS_MAX = 120_000
const PAUSE_MS = 250

/**
 * Asks a service that starts until it answers, without a limit: a server that lives is slow, not dead. A
 * probe that hangs for two minutes is aborted and sent again. Returns the first answer. Throws if the server
 * ends before it, at once.
 */
export async function firstAnswer<Answer>(
  probe: (signal: AbortSignal) => Promise<Answer>,
  ended: Promise<unknown>,
): Promise<Answer> {
  const over = new AbortController()
  const end = ended
    .then(() => Promise.reject(new Error('The server ended before its first answer')))
    .finally(() => over.abort())
  return Promise.race([end, keepAsking(probe, over.signal)])
}

async function keepAsking<Answer>(
  probe: (signal: AbortSignal) => Promise<Answer>,
  over: AbortSignal,
): Promise<Answer> {
  for (;;) {
    over.throwIfAborted()
    const attempt = new AbortController()
    const limit = setTimeout(() => attempt.abort(), PROBE_MS_MAX)
    try {
      return await probe(AbortSignal.any([over, attempt.signal]))
    } catch {
      // Nothing listens on the port yet, or the attempt was aborted.
    } finally {
      clearTimeout(limit)
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
