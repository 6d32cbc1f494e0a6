import type { Context, IdempotencyClaim } from '../context.ts'
import { ApiError } from '../errors.ts'
import { sha256 } from '../sha256.ts'

const LIFETIME_MS = 24 * 3_600_000

type Claimed =
  | { kind: 'new'; claim: IdempotencyClaim | null }
  | { kind: 'replay'; status: number; answer: string }

/**
 * Reads the request's Idempotency-Key. If the key was used within 24 h, returns the stored answer, or throws
 * idempotency_key_reused if the bytes of the body differ. A new key gives a claim. `commit` stores it in the
 * batch of the changes, so a crash leaves both or neither.
 */
export async function claimIdempotency(
  context: Context,
  request: Request,
  status: number,
  body: string,
): Promise<Claimed> {
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return { kind: 'new', claim: null }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new ApiError('idempotency_key_invalid')
  const { pathname } = new URL(request.url)
  const claim = { key, method: request.method, path: pathname, request_hash: await sha256(body), status }
  const stored = await findAnswer(context, claim)
  return stored === null ? { kind: 'new', claim } : { kind: 'replay', ...stored }
}

/**
 * Call after a failure. Returns the stored answer if another request with this key finished first, else null.
 * Throws idempotency_key_in_use if the other request won but its answer cannot be read yet.
 */
export async function answerOfWinner(
  context: Context,
  claim: IdempotencyClaim,
  failure: unknown,
): Promise<{ status: number; answer: string } | null> {
  const stored = await findAnswer(context, claim)
  if (stored === null && isIdempotencyRace(failure)) throw new ApiError('idempotency_key_in_use')
  return stored
}

function isIdempotencyRace(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('UNIQUE constraint failed: idempotency_keys')
}

/**
 * The statements that store an answer, for the batch of its changes. They delete an expired answer of the
 * same key.
 */
export function storeAnswer(
  context: Context,
  claim: IdempotencyClaim,
  answer: object,
): D1PreparedStatement[] {
  const { key, method, path, request_hash, status } = claim
  const { account_id } = context.principal
  const json = JSON.stringify({ ...answer, queried_at: context.now.toISOString() })
  return [
    context.env.DB.prepare(
      `DELETE FROM idempotency_keys
       WHERE account_id = ? AND key = ? AND method = ? AND path = ? AND created_at <= ?`,
    ).bind(account_id, key, method, path, oldestValid(context)),
    context.env.DB.prepare(
      `INSERT INTO idempotency_keys (account_id, key, method, path, request_hash, status, answer, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).bind(account_id, key, method, path, request_hash, status, json, context.now.toISOString()),
  ]
}

/** Deletes the answers of all accounts that are older than 24 h. */
export async function pruneIdempotencyKeys(db: D1Database, now: Date): Promise<void> {
  await db
    .prepare('DELETE FROM idempotency_keys WHERE created_at <= ?')
    .bind(new Date(now.getTime() - LIFETIME_MS).toISOString())
    .run()
}

async function findAnswer(
  context: Context,
  claim: IdempotencyClaim,
): Promise<{ status: number; answer: string } | null> {
  const row = await context.env.DB.prepare(
    `SELECT request_hash, status, answer FROM idempotency_keys
     WHERE account_id = ? AND key = ? AND method = ? AND path = ? AND created_at > ?`,
  )
    .bind(context.principal.account_id, claim.key, claim.method, claim.path, oldestValid(context))
    .first<{ request_hash: string; status: number; answer: string }>()
  if (row === null) return null
  if (row.request_hash !== claim.request_hash) throw new ApiError('idempotency_key_reused')
  return { status: row.status, answer: row.answer }
}

function oldestValid(context: Context): string {
  return new Date(context.now.getTime() - LIFETIME_MS).toISOString()
}
