import type { AnyDb } from '../database/databases.ts'
import type { Context, IdempotencyClaim } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Tier } from '../tiers.ts'
import { sha256 } from '../kit/sha256.ts'
import { notHeld, notMoving } from '../database/home.ts'
import { inSlices } from '../database/slices.ts'
import { pack, unpack } from '../database/packed-text.ts'
import { readHeader } from '../kit/header.ts'

/**
 * The bytes of answers that an account may keep for its idempotency keys on one day. The answer of a later
 * request is not kept, but the request still happens only once.
 */
const ANSWER_BYTES_A_DAY: Readonly<Record<Tier, number>> = {
  free: 20_000_000,
  pro: 300_000_000,
  enterprise: 1_000_000_000,
}

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
  const key = readHeader(request.headers, 'Idempotency-Key')
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

/** An answer as it is stored: its text, which customer it is about, and its share of the day's bytes. */
type KeptAnswer = {
  claim: IdempotencyClaim
  text: string
  customer_id: string | null
  day: string
  bytes: number
}

/**
 * The answer of a request as it is stored. A long one is compressed: a row of D1 has at most 2,000,000 bytes,
 * and a batch can have more.
 */
export async function keptAnswer(
  context: Context,
  claim: IdempotencyClaim,
  answer: object,
  audit: readonly { resource_id: string }[],
): Promise<KeptAnswer> {
  const at = context.now.toISOString()
  const text = await pack(JSON.stringify({ ...answer, queried_at: at }))
  const customer_id = customerOf(claim, audit)
  return { claim, text, customer_id, day: at.slice(0, 10), bytes: text.length }
}

/**
 * The customer that a request is about, or one of the people of the account: the one in its path, or the one
 * that it created.
 */
function customerOf({ path }: IdempotencyClaim, audit: readonly { resource_id: string }[]): string | null {
  const named = [path, ...audit.map((entry) => entry.resource_id)].map((text) => CUSTOMER.exec(text)?.[0])
  return named.find((id) => id !== undefined) ?? null
}

const CUSTOMER = /(?:cust|person)_[0-9a-z]{26}/

/**
 * The statements that store an answer, for the batch of its changes. They delete an expired answer of the
 * same key. If the account has kept too many bytes on that day, the row is stored without the answer. Put
 * them after the statement that counts the bytes.
 */
export function storeAnswer(context: Context, kept: KeptAnswer): D1PreparedStatement[] {
  const { key, method, path, request_hash, status } = kept.claim
  const { account_id, tier } = context.principal
  const { written } = context
  return [
    written
      .prepare(
        `DELETE FROM idempotency_keys
       WHERE account_id = ? AND key = ? AND method = ? AND path = ? AND created_at <= ?`,
      )
      .bind(account_id, key, method, path, oldestValid(context)),
    written
      .prepare(
        `INSERT INTO idempotency_keys (account_id, key, method, path, request_hash, status, answer,
         customer_id, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6,
         iif((SELECT answer_bytes FROM account_usage WHERE account_id = ?1) > ?10, '', ?7), ?8, ?9)`,
      )
      .bind(
        account_id,
        key,
        method,
        path,
        request_hash,
        status,
        kept.text,
        kept.customer_id,
        context.now.toISOString(),
        ANSWER_BYTES_A_DAY[tier],
      ),
  ]
}

/** Answers that one statement deletes. */
const PRUNED_MAX = 5_000

/** Deletes answers of all accounts that are older than 24 h, in slices. */
export async function pruneIdempotencyKeys(db: AnyDb, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - LIFETIME_MS).toISOString()
  await inSlices(async () => {
    const { meta } = await db
      .prepare(
        `DELETE FROM idempotency_keys WHERE rowid IN
           (SELECT rowid FROM idempotency_keys WHERE created_at <= ?
              AND ${notMoving('idempotency_keys.account_id')}
              AND ${notHeld('idempotency_keys.account_id')}
            ORDER BY created_at LIMIT ${PRUNED_MAX})`,
      )
      .bind(oldest)
      .run()
    return meta.changes > 0
  })
}

async function findAnswer(
  context: Context,
  claim: IdempotencyClaim,
): Promise<{ status: number; answer: string } | null> {
  const row = await context.written
    .prepare(
      `SELECT request_hash, status, answer FROM idempotency_keys
     WHERE account_id = ? AND key = ? AND method = ? AND path = ? AND created_at > ?`,
    )
    .bind(context.principal.account_id, claim.key, claim.method, claim.path, oldestValid(context))
    .first<{ request_hash: string; status: number; answer: string }>()
  if (row === null) return null
  if (row.request_hash !== claim.request_hash) throw new ApiError('idempotency_key_reused')
  if (row.answer === '') throw new ApiError('idempotency_answer_not_kept')
  return { status: row.status, answer: await unpack(row.answer) }
}

function oldestValid(context: Context): string {
  return new Date(context.now.getTime() - LIFETIME_MS).toISOString()
}
