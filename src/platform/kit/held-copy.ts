/** Gets work that the answer does not wait for. It must not reject. */
export type Later = (work: Promise<void>) => void

/** When a copy in memory was last compared with its source, and when that was last begun. Epoch ms. */
export type HeldCopy = { checked_at: number; asked_at: number }

/** From when on a copy is compared behind an answer, and from when on an answer waits for that. */
export type Ages = { due_ms: number; old_ms: number }

/**
 * `fresh`: use the copy. `due`: use it, and compare it with its source behind the answer. `old`: compare it
 * first. One request of `due_ms` gets `due`, so the source is asked once.
 */
export function stateOf(held: HeldCopy, now: Date, { due_ms, old_ms }: Ages): 'fresh' | 'due' | 'old' {
  const time = now.getTime()
  const age = Math.abs(time - held.checked_at)
  if (age >= old_ms) return 'old'
  if (age < due_ms || Math.abs(time - held.asked_at) < due_ms) return 'fresh'
  held.asked_at = time
  return 'due'
}

const WAIT_MS = 10
const WAIT_MAX_MS = 2_000

/**
 * Loads the first copy of an isolate. One request loads it while the others poll for it: workerd binds I/O to
 * the request that began it, so they cannot share a promise. If that request is cut off, the next one loads
 * the copy after 2 s.
 */
export function oneAtATime<Copy>(): (held: () => Copy | null, load: () => Promise<Copy>) => Promise<Copy> {
  let loading = false
  return async (held, load) => {
    for (let waited = 0; loading && waited < WAIT_MAX_MS; waited += WAIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      const copy = held()
      if (copy !== null) return copy
    }
    loading = true
    try {
      return await load()
    } finally {
      loading = false
    }
  }
}
