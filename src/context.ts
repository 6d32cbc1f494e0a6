import type { Bindings } from './bindings.ts'
import type { Tier } from './accounts/tiers.ts'
import type { VatIdPolicy } from './accounts/vat-id-policies.ts'

/** A registration as the engine needs it: a jurisdiction id or a scheme, and when it holds. */
export type HeldRegistration = { id: string; valid_from: string; valid_to: string | null }

/** Who calls: the key, its account, and what the account says of itself as a seller. */
export type Principal = {
  key_id: string
  account_id: string
  tier: Tier
  sandbox: boolean
  scopes: ReadonlySet<string>
  expires_at: string | null
  seller: { country: string; region: string | null; postal_code: string | null } | null
  vat_id_policy: VatIdPolicy
  registrations: readonly HeldRegistration[]
}

/** The request's claim on an Idempotency-Key: stored with the effect, in the same batch. */
export type IdempotencyClaim = {
  key: string
  method: string
  path: string
  request_hash: string
  status: number
}

/** What a verb is given. */
export type Context = {
  env: Bindings
  principal: Principal
  now: Date
  request_id: string
  idempotency: IdempotencyClaim | null
}
