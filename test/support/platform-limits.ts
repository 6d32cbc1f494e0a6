/**
 * Enforces limits of D1, KV and Queues that the local simulation does not have, on the prototypes of their
 * bindings. So every test of the Worker meets them. The figures are those of the platform's documentation.
 */
const D1_VALUE_BYTES_MAX = 2_000_000
const D1_PARAMETERS_MAX = 100
const D1_STATEMENT_BYTES_MAX = 100_000
/** Of the result of a statement. Only texts count here: they make a result large. */
const D1_RESULT_BYTES_MAX = 50_000_000
/** Statements of one invocation on a paid plan; a batch counts each of its statements. */
export const D1_BATCH_MAX = 1_000
const KV_KEY_BYTES_MAX = 512
const KV_VALUE_BYTES_MAX = 25 * 1_024 * 1_024
const KV_TTL_MIN_S = 60
const KV_CACHE_TTL_MIN_S = 30
const QUEUE_MESSAGES_MAX = 100
const QUEUE_DELAY_MAX_S = 86_400
const QUEUE_MESSAGE_BYTES_MAX = 128_000

type Method = (this: unknown, ...values: unknown[]) => unknown

/** Replaces a method of an object's prototype by one that checks its arguments first. */
function checkBefore(binding: object, name: string, check: (...values: unknown[]) => void): void {
  const prototype: object = Object.getPrototypeOf(binding)
  const original: unknown = Reflect.get(prototype, name)
  if (typeof original !== 'function') throw new Error(`the binding has no method ${name}`)
  const checked: Method = function (...values) {
    check(...values)
    return Reflect.apply(original, this, values)
  }
  Object.defineProperty(prototype, name, { value: checked, configurable: true, writable: true })
}

/** Lets a method of an object's prototype check what it resolves to. */
function checkAfter(binding: object, name: string, check: (resolved: unknown) => void): void {
  const prototype: object = Object.getPrototypeOf(binding)
  const original: unknown = Reflect.get(prototype, name)
  if (typeof original !== 'function') throw new Error(`the binding has no method ${name}`)
  const checked: Method = async function (...values) {
    const resolved: unknown = await Reflect.apply(original, this, values)
    check(resolved)
    return resolved
  }
  Object.defineProperty(prototype, name, { value: checked, configurable: true, writable: true })
}

/** UTF-8 bytes of a text, or the length of a buffer; null if it has no size. */
function bytesOf(value: unknown): number | null {
  if (typeof value === 'string') return new TextEncoder().encode(value).byteLength
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : null
}

function refuseOver(value: unknown, most: number, what: string): void {
  const bytes = bytesOf(value)
  if (bytes !== null && bytes > most) throw new Error(`${what}: ${bytes} bytes, of at most ${most}`)
}

let enforced = false

/** Files that share a Worker share its prototypes, so only the first one replaces their methods. */
export function enforceLimits({ DB, KV, WORK }: Pick<Cloudflare.Env, 'DB' | 'KV' | 'WORK'>): void {
  if (enforced) return
  enforced = true
  enforceD1Limits(DB)
  refuseLargeResults(DB)
  countStatements(DB)
  enforceKvLimits(KV)
  enforceQueueLimits(WORK)
}

function enforceD1Limits(db: D1Database): void {
  checkBefore(db, 'prepare', (sql) => refuseOver(sql, D1_STATEMENT_BYTES_MAX, 'D1_ERROR: statement too long'))
  checkBefore(db, 'batch', (statements) => {
    if (Array.isArray(statements) && statements.length > D1_BATCH_MAX)
      throw new Error(`D1_ERROR: too many statements in a batch: ${statements.length}`)
  })
  checkBefore(db.prepare('SELECT 1'), 'bind', (...values) => {
    if (values.length > D1_PARAMETERS_MAX) throw new Error('D1_ERROR: too many SQL variables')
    for (const value of values) refuseOver(value, D1_VALUE_BYTES_MAX, 'D1_ERROR: string or blob too big')
  })
}

/** Fails a statement with a result that D1 would not give. A batch has a result for each of its statements. */
function refuseLargeResults(db: D1Database): void {
  const check = (result: unknown) => {
    const { results } = Object(result)
    const rows: unknown[] = Array.isArray(results) ? results : []
    const sizes = rows.map((row) => sumOf(Object.values(Object(row)).map((value) => textLength(value))))
    if (sumOf(sizes) > D1_RESULT_BYTES_MAX) throw new Error('D1_ERROR: the result is larger than 50 MB')
  }
  for (const name of ['run', 'all']) checkAfter(db.prepare('SELECT 1'), name, check)
  checkAfter(db, 'batch', (results) => (Array.isArray(results) ? results : []).forEach(check))
}

const textLength = (value: unknown) => (typeof value === 'string' ? value.length : 0)
const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

let statements = 0

/** Counts the statements of a database for `statementsOf`. */
function countStatements(db: D1Database): void {
  checkBefore(db, 'batch', (batch) => {
    statements += Array.isArray(batch) ? batch.length : 0
  })
  for (const name of ['run', 'all', 'first', 'raw'])
    checkBefore(db.prepare('SELECT 1'), name, () => {
      statements += 1
    })
}

/**
 * The statements of D1 that a piece of work runs in sum: an invocation on a paid plan has 1,000 of them, and a
 * batch counts each of its statements.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = statements
  await work()
  return statements - before
}

type KvOptions = { expirationTtl?: number; cacheTtl?: number } | undefined

function enforceKvLimits(kv: KVNamespace): void {
  checkBefore(kv, 'put', (key, value, options) => {
    refuseOver(key, KV_KEY_BYTES_MAX, 'KV PUT failed: 414 key too long')
    refuseOver(value, KV_VALUE_BYTES_MAX, 'KV PUT failed: 413 value too large')
    // The options are what the code under test wrote; their type is KVNamespacePutOptions.
    const { expirationTtl = KV_TTL_MIN_S } = (options as KvOptions) ?? {}
    if (expirationTtl < KV_TTL_MIN_S) throw new Error(`KV PUT failed: 400 expirationTtl of ${expirationTtl}`)
  })
  checkBefore(kv, 'get', (key, options) => {
    if (typeof key === 'string') refuseOver(key, KV_KEY_BYTES_MAX, 'KV GET failed: 414 key too long')
    if (typeof options !== 'object' || options === null) return
    const { cacheTtl = KV_CACHE_TTL_MIN_S } = options as NonNullable<KvOptions>
    if (cacheTtl < KV_CACHE_TTL_MIN_S) throw new Error(`KV GET failed: 400 cacheTtl of ${cacheTtl}`)
  })
}

function enforceQueueLimits(queue: Queue): void {
  checkBefore(queue, 'sendBatch', (messages) => {
    const all = [...(messages as Iterable<MessageSendRequest>)]
    if (all.length > QUEUE_MESSAGES_MAX) throw new Error(`Queue sendBatch failed: ${all.length} messages`)
    for (const { body, delaySeconds = 0 } of all) {
      refuseOver(JSON.stringify(body), QUEUE_MESSAGE_BYTES_MAX, 'Queue sendBatch failed: message too large')
      if (delaySeconds > QUEUE_DELAY_MAX_S)
        throw new Error(`Queue sendBatch failed: delay of ${delaySeconds}`)
    }
  })
}
