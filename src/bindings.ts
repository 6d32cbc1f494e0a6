/** What a queue message carries: only an id, the row in D1 is the truth. */
export type QueueMessage = { id: string }

/** Bindings and variables of the worker, as named in wrangler.toml. */
export type Bindings = {
  DB: D1Database
  KV: KVNamespace
  WEBHOOK_EVENTS: Queue<QueueMessage>
  WEBHOOK_DELIVERIES: Queue<QueueMessage>
  DEAD_LETTERS: Queue<QueueMessage>
  RATE_LIMIT_FREE: RateLimit
  RATE_LIMIT_PRO: RateLimit
  RATE_LIMIT_ENTERPRISE: RateLimit
  RATE_LIMIT_ADDRESS: RateLimit
  /** Shown by GET /health: `production`, `staging`, `development`, `test`. */
  ENVIRONMENT?: string
  /** `off` leaves the rate limiter out, for benchmarks alone. */
  RATE_LIMITS?: string
}
