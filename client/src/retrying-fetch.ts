import { TaxConnectionError } from './connection-error.ts'

export type Fetch = (request: Request) => Promise<Response>

/** The status and the headers of an answer. */
export type AnswerHead = { status: number; headers: Headers }

/** What one call may set for itself. */
export type AttemptOptions = {
  /** The time limit of one attempt, in milliseconds. */
  timeout?: number
  /** How many times a request is repeated at most. */
  retries?: number
  /** Is called with the head of the last answer, of a refusal too; of a list, with that of each page. */
  onAnswer?: (head: AnswerHead) => void
}

/** A request with the options of its call. A stream is passed on, and every other body is read at once. */
export type TaxRequest = Request & { call?: AttemptOptions; streams?: boolean }

export type Retrying = {
  fetch: Fetch
  retries: number
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
 * time, with random variation, so that clients do not return all at once. Returns the last answer. Throws
 * TaxConnectionError if the last attempt had none, or the reason of an aborted call.
 */
export function retryingFetch(options: Retrying): Fetch {
  return async (request: TaxRequest) => {
    const { retries = options.retries, timeout = options.timeout, onAnswer } = request.call ?? {}
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries
      const outcome = await attemptOnce(options.fetch, request, timeout)
      const answered = outcome instanceof Response
      const pause = pauseOf(answered ? outcome.headers.get('Retry-After') : null, attempt)
      if (!answered && (last || !options.mayRepeat(request))) throw outcome
      if (answered && (last || pause > LONGEST_WAIT_MS || !(await asksAgain(options, request, outcome)))) {
        onAnswer?.({ status: outcome.status, headers: outcome.headers })
        return outcome
      }
      await pauseFor(options, pause, request.signal)
    }
  }
}

/** A request that runs twice at once, because its first attempt was given up, is answered a moment later. */
const IN_USE = /"reason":\s*"idempotency_key_in_use"/

async function asksAgain({ mayRepeat }: Retrying, request: Request, answer: Response): Promise<boolean> {
  const { status } = answer
  if (status === 429) return true
  if (status >= 500) return status !== 501 && mayRepeat(request)
  return status === 400 && mayRepeat(request) && IN_USE.test(await answer.clone().text())
}

async function attemptOnce(
  fetch: Fetch,
  request: TaxRequest,
  timeout: number,
): Promise<Response | TaxConnectionError> {
  const limit = AbortSignal.timeout(timeout)
  try {
    const signal = AbortSignal.any([request.signal, limit])
    const answer = await fetch(new Request(request.clone(), { signal }))
    return request.streams ? answer : await whole(answer, request.url)
  } catch (failure) {
    request.signal.throwIfAborted()
    return new TaxConnectionError(request.url, failure, limit.aborted)
  }
}

/** Reads the body within the attempt: an answer that breaks off is repeated like one that never came. */
async function whole(answer: Response, url: string): Promise<Response> {
  if (answer.body === null) return answer
  const read = new Response(await answer.arrayBuffer(), answer)
  return Object.defineProperty(read, 'url', { value: answer.url || url })
}

/** Waits, but not on after the call was aborted: it then throws the reason. */
async function pauseFor({ wait }: Retrying, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  await Promise.race([wait(milliseconds), aborted])
}

/** Retry-After is a number of seconds, or a date: one that is past says nothing of the wait. */
function pauseOf(retry_after: string | null, attempt: number): number {
  if (retry_after !== null && /^\d{1,6}$/.test(retry_after)) return Number(retry_after) * 1_000
  const until = Date.parse(retry_after ?? '') - Date.now()
  return until > 0 ? until : 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}
