import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { TIER_IDS } from '../../tiers.ts'
import { HOMES } from '../homes.ts'
import { VAT_ID_POLICIES } from '../values/vat-id-policies.ts'
import { FILING_FREQUENCIES } from '../../kit/calendar.ts'
import { SCHEMES } from '../../../engine/ground/schemes.ts'
import { ROLE_IDS } from '../values/roles.ts'
import { oneOf, zeroOrOne } from './checks.ts'

/** In a shard, a row has only the id, `home` and values without a meaning. */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    name: text().notNull().unique(),
    tier: text({ enum: TIER_IDS }).notNull(),
    sandbox: integer().notNull(),
    seller_name: text(),
    country: text(),
    region: text(),
    postal_code: text(),
    vat_id: text(),
    vat_id_policy: text({ enum: VAT_ID_POLICIES }).notNull().default('format'),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    small_business: integer().notNull().default(0),
    /** The account's books, compared every night with the 10,000 EUR of art. 59c. */
    over_eu_threshold: integer().notNull().default(0),
    time_zone: text().notNull().default('UTC'),
    uk_stagger: integer().notNull().default(1),
    fiscal_year_start: integer().notNull().default(1),
    /** In the control database: the number of the shard that contains the account's books. */
    shard: integer().notNull().default(0),
    /** Whether writes to the account's books are allowed in this database. */
    home: text({ enum: HOMES }).notNull().default('open'),
    /** Whether requests in the form of TaxJar are answered. */
    taxjar_api: integer().notNull().default(0),
    taxjar_currency: text(),
    /** Whether they are answered from the rate of a state whose local rates are missing. */
    taxjar_state_only: integer().notNull().default(0),
    /** Since when the operator has stopped the account. The shard of its books has it too, for the jobs. */
    suspended_at: text(),
    /** When the account was erased. It stays suspended. */
    erased_at: text(),
    /** Whether requests with product codes that have no type here are refused. */
    refuses_unknown_codes: integer().notNull().default(0),
    /** The worldwide turnover of twelve months, minor units; null: not set. */
    global_turnover: integer(),
    global_turnover_currency: text(),
    city: text(),
    line1: text(),
    line2: text(),
    /** JSON of HeldEstablishment[]. */
    establishments: text().notNull().default('[]'),
    /** Since when nothing of the account may be erased or expire. The shard of its books has it too. */
    held_at: text(),
    /** JSON of HeldOwnRates[]. */
    own_rates: text().notNull().default('[]'),
    /** Whether a return is filed only by another person than the one who reviewed it. */
    four_eyes: integer().notNull().default(0),
    /** The account that made it by `platform:write`; null: the operator made it. A shard does not have it. */
    platform_id: text(),
    /** The platform's own reference of it. */
    external_id: text(),
  },
  (table) => [
    oneOf(table.tier),
    oneOf(table.vat_id_policy),
    zeroOrOne(table.small_business),
    zeroOrOne(table.over_eu_threshold),
    oneOf(table.home),
    uniqueIndex('accounts_by_external_id')
      .on(table.platform_id, table.external_id)
      .where(sql`platform_id IS NOT NULL`),
    index('accounts_of_platform')
      .on(table.platform_id, table.id)
      .where(sql`platform_id IS NOT NULL`),
  ],
)

/** Moves of accounts to another shard, until the old copy is deleted. */
export const account_moves = sqliteTable('account_moves', {
  account_id: text()
    .primaryKey()
    .references(() => accounts.id),
  from_shard: integer().notNull(),
  to_shard: integer().notNull(),
  started_at: text().notNull(),
  /** From then on nothing changed in the old shard. */
  closed_at: text(),
  switched_at: text(),
  /** The process that moves, and until when no other one may take its place. */
  owner: text(),
  leased_until: text(),
  /** From then on the move is being undone: the old books are open, and the copy is deleted. */
  aborted_at: text(),
  /** Nothing is left to do but to delete the old copy. */
  finished_at: text(),
})

export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    name: text(),
    hash: text().notNull().unique(),
    prefix: text().notNull(),
    scopes: text().notNull(),
    expires_at: text(),
    revoked_at: text(),
    last_used_at: text(),
    created_at: text().notNull(),
    /** The person who made it, or who made the key that did; null: the operator. */
    made_by: text(),
  },
  (table) => [index('api_keys_of_account').on(table.account_id, table.id)],
)

/** A person in one account. Who works for several accounts has a row in each, with the same e-mail. */
export const people = sqliteTable(
  'people',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    /** In lower case. */
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ROLE_IDS }).notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** The day of the last sign-in; the time is not recorded. */
    last_seen_at: text(),
    /** Since when the person has no access. The row stays, because history names it. */
    removed_at: text(),
    /** When e-mail and name were erased: both are empty. */
    erased_at: text(),
    /** When the person last signed out, or was last removed before: sessions from before have ended. */
    signed_out_at: text(),
  },
  (table) => [
    oneOf(table.role),
    uniqueIndex('people_by_email')
      .on(table.account_id, table.email)
      .where(sql`removed_at IS NULL`),
    index('people_of_email').on(table.email),
    index('people_of_account').on(table.account_id, table.id),
  ],
)

export const registrations = sqliteTable(
  'registrations',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    jurisdiction_id: text(),
    scheme: text({ enum: SCHEMES }),
    registration_number: text(),
    valid_from: text().notNull(),
    valid_to: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    filing_frequency: text({ enum: FILING_FREQUENCIES }),
  },
  (table) => [
    oneOf(table.scheme),
    oneOf(table.filing_frequency),
    check('jurisdiction_or_scheme', sql`(jurisdiction_id IS NULL) <> (scheme IS NULL)`),
    index('registrations_of_account').on(table.account_id, table.id),
  ],
)

/** The secret address of an account's calendar of obligations. Only the hash of its token is stored. */
export const calendar_feeds = sqliteTable('calendar_feeds', {
  account_id: text()
    .primaryKey()
    .references(() => accounts.id),
  token_hash: text().notNull().unique(),
  created_at: text().notNull(),
})
