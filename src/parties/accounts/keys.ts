import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { type AuditEntry, commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { withinAllKeys, withinCount } from '../../platform/writes/usage.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { readActor } from './actor-store.ts'
import { forgetPrincipals } from './authenticate.ts'
import { newKey, type WantedKey } from './new-key.ts'
import type {
  ApiKey,
  ApiKeysAnswer,
  NewApiKeyAnswer,
  NewApiKeyRequest,
  RotateApiKeyRequest,
  RotatedApiKeyAnswer,
} from './schemas.ts'
import { allows, type Scope, SCOPES } from '../../platform/database/values/scopes.ts'
import { type ApiKeyRow, insertApiKey, readApiKey, readApiKeys, retireApiKey, endApiKey } from './store.ts'

const HOUR_MS = 3_600_000

/** The keys of the account that are still valid. */
export async function listApiKeys(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof ApiKeysAnswer>> {
  const { rows, total } = await readApiKeys(context, limit, offset)
  return { api_keys: rows.map(presentApiKey), ...pageOf(total, limit, offset) }
}

/** Creates a key, which is shown once. Throws scope_not_grantable. */
export async function createApiKey(
  context: Context,
  request: z.output<typeof NewApiKeyRequest>,
): Promise<Answer<typeof NewApiKeyAnswer>> {
  const expires_at = expiryOf(context, request.expires_at)
  const scopes = [...new Set(request.scopes)]
  const { key, row, changes, audit } = await writeOfKey(context, request.name ?? null, scopes, expires_at)
  await commit(context, { changes, audit, answer: { ...presentApiKey(row), key: null } })
  return { ...presentApiKey(row), key }
}

/**
 * A new key of the account, with the write that creates it. It has no more scopes than the caller's key and
 * does not live longer. Throws scope_not_grantable.
 */
export async function writeOfKey(
  context: Context,
  name: string | null,
  scopes: readonly Scope[],
  expires_at: string | null,
): Promise<{ key: string; row: ApiKeyRow; changes: D1PreparedStatement[]; audit: AuditEntry }> {
  const { person } = await readActor(context)
  const { key, row } = await makeKey(context, { name, scopes, expires_at, made_by: person })
  return {
    key,
    row,
    changes: [insertApiKey(context.env.DB, context.principal.account_id, row), ...withinKeys(context)],
    audit: await creationOf(row),
  }
}

/** The audit event of a new key. It keeps the name of the key when the key is deleted. */
export async function creationOf(row: ApiKeyRow): Promise<AuditEntry> {
  return {
    action: 'api_key.created',
    resource_id: row.id,
    changed: ['scopes', 'expires_at'],
    values: await valuesOf(null, auditedKey(row)),
  }
}

/**
 * Revokes a key: at once in this isolate, within 60 seconds everywhere. A key can revoke itself, and keys
 * whose scopes it has. Throws not_found, scope_not_grantable.
 */
export async function revokeApiKey(context: Context, id: string): Promise<Answer<typeof DeletedAnswer>> {
  const key = await readApiKey(context, id)
  if (key === null) throw new ApiError('not_found')
  if (id !== context.principal.key_id) refuseLackingScopes(context, scopesOf(key), 'revoke keys with scopes')
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: guarded(context.env.DB, endApiKey(context, id), 'not_found'),
    audit: {
      action: 'api_key.revoked',
      resource_id: id,
      changed: ['revoked_at'],
      values: { revoked_at: { old: key.revoked_at, new: context.now.toISOString() } },
    },
    answer,
  })
  forgetPrincipals(context.principal.account_id)
  return answer
}

/**
 * Replaces a key by a new one with the same scopes and expiry. The old key stays valid for the grace period.
 * Throws not_found, scope_not_grantable, api_key_not_active.
 */
export async function rotateApiKey(
  context: Context,
  id: string,
  { grace_hours = 24 }: z.output<typeof RotateApiKeyRequest>,
): Promise<Answer<typeof RotatedApiKeyAnswer>> {
  const old = await readApiKey(context, id)
  if (old === null) throw new ApiError('not_found')
  if (old.expires_at !== null && old.expires_at <= context.now.toISOString())
    throw new ApiError('api_key_not_active')
  const revoked_at = new Date(context.now.getTime() + grace_hours * HOUR_MS).toISOString()
  const { name, expires_at } = old
  // Who rotates it knows the new key.
  const made_by = (await readActor(context)).person ?? old.made_by
  const { key, row } = await makeKey(context, { name, scopes: scopesOf(old), expires_at, made_by })
  const answer = { ...presentApiKey(row), replaces: { id, revoked_at } }
  await commit(context, {
    changes: [
      ...guarded(context.env.DB, retireApiKey(context, id, revoked_at), 'api_key_not_active'),
      insertApiKey(context.env.DB, context.principal.account_id, row),
      ...withinKeys(context),
    ],
    audit: [
      {
        action: 'api_key.rotated',
        resource_id: id,
        changed: ['revoked_at'],
        values: { revoked_at: { old: old.revoked_at, new: revoked_at }, key_id: { old: id, new: row.id } },
      },
      await creationOf(row),
    ],
    answer: { ...answer, key: null },
  })
  forgetPrincipals(context.principal.account_id)
  return { ...answer, key }
}

/** Makes a key that has no more scopes than the caller's key and does not live longer. */
async function makeKey(context: Context, wanted: WantedKey): Promise<{ key: string; row: ApiKeyRow }> {
  refuseLackingScopes(context, wanted.scopes, 'grant scopes')
  refuseOutliving(context, wanted.expires_at)
  return newKey(context.principal.sandbox, wanted, context.now)
}

/** A key does not live longer than the one that makes it. Throws invalid_request. */
export function refuseOutliving({ principal }: Context, expires_at: string | null): void {
  if (principal.expires_at !== null && (expires_at === null || expires_at > principal.expires_at))
    throw fieldError(
      'invalid_request',
      'expires_at',
      `must not be later than the expiry of your own key, ${principal.expires_at}`,
    )
}

/** The expiry of a new key: by default that of the caller's key. Throws invalid_request. */
export function expiryOf(context: Context, wanted: string | null | undefined): string | null {
  const expires_at = wanted ?? context.principal.expires_at
  if (expires_at !== null && expires_at <= context.now.toISOString())
    throw fieldError('invalid_request', 'expires_at', 'must be in the future')
  return expires_at
}

/** Throws scope_not_grantable if the caller's key lacks one of the scopes. */
function refuseLackingScopes({ principal }: Context, scopes: readonly Scope[], deed: string): void {
  const lacking = scopes.find((scope) => !allows(principal.scopes, scope))
  if (lacking !== undefined)
    throw new ApiError('scope_not_grantable', {
      message: `A key can only ${deed} that it has: it lacks ${lacking}`,
      detail: lacking,
    })
}

/** A key without its hash. */
function auditedKey({ name, prefix, scopes, expires_at }: ApiKeyRow) {
  return { name, prefix, scopes, expires_at }
}

function withinKeys(context: Context): D1PreparedStatement[] {
  return [withinCount(context, 'api_keys'), withinAllKeys(context)]
}

function scopesOf(row: ApiKeyRow): Scope[] {
  const stored = new Set<unknown>(JSON.parse(row.scopes))
  return SCOPES.filter((scope) => stored.has(scope))
}

export function presentApiKey(row: ApiKeyRow): Answer<typeof ApiKey> {
  const { id, name, prefix, expires_at, last_used_at, revoked_at, created_at, made_by } = row
  const scopes = scopesOf(row)
  return { id, name, prefix, scopes, expires_at, last_used_at, revoked_at, created_at, made_by }
}
