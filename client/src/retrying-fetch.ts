export type Fetch = (request: Request) => Promise<Response>

export type Retrying = {
  fetch: Fetch
  /** How many times a request is repeated at most. */
  retries: number
  /** The time limit of one attempt, in milliseconds. */
  timeout: number
  /** Whether the request may be repeated if the first one may have been processed. */
  mayRepeat: (request: Request) => boolean
  wait: (milliseconds: number) => Promise<void>
}

const LONGEST_WAIT_MS = 60_000

/**
 * Sends a request until it is answered. After a 429 it repeats any request, because the service did not read
 * it. After a broken connection or a 5xx other than 501, it only repeats requests that `mayRepeat` allows. It
 * waits as long as Retry-After says. Without that header it waits half a second, then twice as long each
 * time, with random variation, so that clients do not return all at once. Returns or throws the result of the
 * last attempt.
 */
export function retryingFetch(options: Retrying): Fetch {
  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= options.retries
      const outcome = await attemptOnce(options, request)
      if (outcome instanceof Response) {
        const again =
          outcome.status === 429 ||
          (outcome.status >= 500 && outcome.status !== 501 && options.mayRepeat(request))
        const pause = pauseOf(outcome.headers.get('Retry-After'), attempt)
        if (last || !again || pause > LONGEST_WAIT_MS) return outcome
        await outcome.body?.cancel()
        await pauseFor(options, pause, request.signal)
      } else {
        if (last || request.signal.aborted || !options.mayRepeat(request)) throw outcome.failure
        await pauseFor(options, pauseOf(null, attempt), request.signal)
      }
    }
  }
}

async function attemptOnce(
  { fetch, timeout }: Retrying,
  request: Request,
): Promise<Response | { failure: unknown }> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)])
  try {
    return await fetch(new Request(request.clone(), { signal }))
  } catch (failure) {
    return { failure }
  }
}

/** Waits, but not on after the call was aborted: it then throws the reason. */
async function pauseFor({ wait }: Retrying, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  await Promise.race([wait(milliseconds), aborted])
}

function pauseOf(retry_after: string | null, attempt: number): number {
  if (retry_after !== null && /^\d{1,6}$/.test(retry_after)) return Number(retry_after) * 1_000
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}
