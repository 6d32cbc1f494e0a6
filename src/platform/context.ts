import type { AnyDb, BooksDb } from './database/databases.ts'
import type { PeriodCounting } from './kit/calendar.ts'
import type { Later } from './kit/held-copy.ts'
import type { Bindings } from './bindings.ts'
import type { PRESENCE_KINDS } from './database/values/presence-kinds.ts'
import type { Role } from './database/values/roles.ts'
import type { Tier } from './tiers.ts'
import type { OwnRatesOfSeller, Turnover } from '../engine/sale/sale.ts'
import type { VatIdPolicy } from './database/values/vat-id-policies.ts'

/** A registration as the engine needs it: a jurisdiction id or a scheme, and its period. */
export type HeldRegistration = { id: string; valid_from: string; valid_to: string | null }
/**
 * A fixed establishment in a member state, or with a region physical presence in a state of the US, with its
 * days.
 */
export type HeldEstablishment = {
  country: string
  /** `TX`. Null or left out: a member state. */
  region?: string | null
  kind?: (typeof PRESENCE_KINDS)[number] | null
  from: string
  to: string | null
}

/** With the number that the authority gave; null: it is not on file. */
type NumberedRegistration = HeldRegistration & { number: string | null }

/** A person who has signed in, as one of the people of the account. */
export type SignedIn = { email: string; name: string; role: Role }

/** The caller: the key or the person, the account, and its profile as a seller. */
export type Principal = {
  /** The id of the key; of a person, the person's own. */
  key_id: string
  /** Null: a key. */
  person: SignedIn | null
  account_id: string
  /** The number of the shard that contains the account's books. */
  shard: number
  tier: Tier
  sandbox: boolean
  /** The operator has stopped the account: all of its requests are refused. */
  suspended: boolean
  scopes: ReadonlySet<string>
  expires_at: string | null
  /** Where the account is established, as far as it decides tax; null: it is not on file. */
  seller: { country: string; region: string | null; city: string | null; postal_code: string | null } | null
  /** The VAT id of the account in its own country; null: it is not on file. */
  vat_id: string | null
  vat_id_policy: VatIdPolicy
  small_business: boolean
  over_eu_threshold: boolean
  /** IANA. Days of reports and periods are days there. */
  time_zone: string
  /** How the account counts the periods of its returns. */
  periods: PeriodCounting
  /** How requests in the form of TaxJar are answered; null: they are refused. */
  taxjar: { currency: string | null; accept_state_only: boolean } | null
  registrations: readonly NumberedRegistration[]
  /** Its fixed establishments in member states and its presence in states, beside its own place. */
  establishments: readonly HeldEstablishment[]
  /** Whether requests with product codes that have no type here are refused. */
  refuses_unknown_codes: boolean
  /** The worldwide turnover, which some thresholds count; null: not set. */
  global_turnover: Turnover | null
  /** Its own rates for places that the data does not cover; null: it has none. */
  own_rates: OwnRatesOfSeller | null
}

/** The request's claim on an Idempotency-Key. It is stored in the same batch as the changes. */
export type IdempotencyClaim = {
  key: string
  method: string
  path: string
  request_hash: string
  status: number
}

/** The input of every function that handles a request. */
export type Context = {
  env: Bindings
  /**
   * The database of the account's books: customers, exemptions, sales, returns, webhooks, and what is
   * written with them. Accounts, keys, registrations and tax facts are in `env.DB`.
   */
  books: BooksDb
  /**
   * The database that the request writes to, with its audit events and its idempotent answer: the books, or
   * `env.DB` for accounts, keys and registrations. So each write is one batch in one database.
   */
  written: AnyDb
  principal: Principal
  now: Date
  /** Gets work that the answer does not wait for. */
  later: Later
  request_id: string
  idempotency: IdempotencyClaim | null
}

/** What a look-up needs, also before the caller is known. */
export type Reader = Pick<Context, 'env' | 'now' | 'later'>
