/** The first request of a cold service took 34 s on a machine with 20 busy processes. */
const PROBE_MS_MAX = 120_000
const PAUSE_MS = 250

/**
 * Sends requests to a starting service until it answers. There is no limit, because a running server may be
 * slow. A request that hangs for two minutes is aborted and repeated. Returns the first answer. Throws at
 * once if the server ends before it.
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
      // The port is not open yet, or the attempt was aborted.
    } finally {
      clearTimeout(limit)
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
