import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { Country, Currency, PARTS_OF_ADDRESS, text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { GRANTABLE_SCOPES, SCOPES } from '../../platform/database/values/scopes.ts'
import { isTimeZone } from '../../platform/kit/time-zone.ts'
import { Establishment, EstablishmentsRequest } from './establishments.ts'
import { Role } from '../people/schemas.ts'
import { TurnoverRequest } from './seller-field.ts'
import { TIER_IDS } from '../../platform/tiers.ts'
import { VAT_ID_POLICIES } from '../../platform/database/values/vat-id-policies.ts'

export const Tier = z.enum(TIER_IDS)
export const Scope = z.enum(SCOPES)
/** A scope that a request can grant to a new key. */
export const GrantableScope = z.enum(GRANTABLE_SCOPES, `must be one of ${GRANTABLE_SCOPES.join(', ')}`)
export const VatIdPolicy = z.enum(VAT_ID_POLICIES)

export const AttentionReason = z.enum([
  'returns_overdue',
  'webhook_disabled',
  'webhook_unconfirmed',
  'account_moving',
  'deliveries_over_quota',
  'books_unavailable',
  'return_not_reconciled',
  'time_zone_not_set',
  'orders_refused',
  'own_rate_replaces',
  'newer_release',
])

/**
 * Returns that are overdue, a newer release of the service, a webhook that was disabled after its failures
 * or that its host has not confirmed, a move of the books that has not ended, a day with too many
 * deliveries, a filed return that the nightly check found to differ from the books, an account whose place
 * has several time zones, before its first return, or own rates that replace those of the data; and since
 * when.
 */
export const Attention = z.strictObject({
  reason: AttentionReason,
  resource_id: z.string(),
  message: z.string(),
  since: Timestamp.nullable(),
})

/** The worldwide turnover of the account. */
export const Turnover = z.strictObject({
  amount: z.int().describe('In minor units of `currency`'),
  currency: z.string().describe('ISO 4217'),
})

/** How the account counts the periods of its returns. */
export const FilingProfile = z.strictObject({
  uk_stagger: z
    .int()
    .min(1, 'must be 1, 2 or 3')
    .max(3, 'must be 1, 2 or 3')
    .describe('The stagger group of UK quarters: 1 ends in March, 2 in April, 3 in May'),
  fiscal_year_start: z
    .int()
    .min(1, 'must be a month from 1 to 12')
    .max(12, 'must be a month from 1 to 12')
    .describe('The first month of a year. A year has the number of the calendar year in which it ends'),
})

/** Whether and how the account answers requests in the form of TaxJar (docs/taxjar.md). */
export const TaxJarProfile = z.strictObject({
  enabled: z.boolean(),
  currency: z.string().nullable().describe('Null: the currency of the country that an order leaves'),
  accept_state_only: z
    .boolean()
    .describe('Whether to answer with only the state rate if local rates are missing'),
})

/** Any subset of the fields. */
export const TaxJarProfileRequest = z.strictObject({
  enabled: z.boolean().optional(),
  currency: Currency.nullish().describe('ISO 4217. Null: the currency of the country that an order leaves'),
  accept_state_only: z
    .boolean()
    .optional()
    .describe('`true`: answer with only the state rate if local rates are missing'),
})

/** What to do with a product code of another service that has no product type here. */
export const UnknownCodesPolicy = z.enum(['tell', 'refuse'])

const ACCOUNT = {
  id: z.string(),
  name: z.string(),
  tier: Tier,
  sandbox: z.boolean(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  city: z.string().nullable(),
  postal_code: z.string().nullable(),
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  vat_id: z.string().nullable(),
  vat_id_policy: VatIdPolicy,
  small_business: z.boolean(),
  over_eu_threshold: z
    .boolean()
    .describe('Whether the recorded sales passed the €10,000 of art. 59c, by the last nightly comparison'),
  global_turnover: Turnover.nullable().describe(
    'The worldwide turnover, which the thresholds of some countries count. Null: not set',
  ),
  establishments: z
    .array(Establishment)
    .describe('Fixed establishments in member states, and offices, staff and stock in states of the US'),
  time_zone: z.string(),
  days_moving: z.boolean().describe('A new time zone is being applied to the recorded sales'),
  filing: FilingProfile,
  taxjar_api: TaxJarProfile,
  unknown_codes: UnknownCodesPolicy,
  four_eyes: z
    .boolean()
    .describe('A return is filed only after a review, by another person than the one who reviewed it'),
  created_at: Timestamp,
  updated_at: Timestamp,
  attention: z.array(Attention).describe('Matters that somebody should look at'),
}

/** The account and its seller profile. */
export const Account = z.strictObject(ACCOUNT)

export const AccountAnswer = z.strictObject({ ...ACCOUNT, queried_at: Timestamp })

/** The stored rows of one kind, and how many the tier allows. */
export const Usage = z.strictObject({ stored: z.int(), quota: z.int() })

/** A product code of requests that has no product type here. */
export const UnknownCode = z.strictObject({
  code: z.string(),
  lines: z.int().describe('At least so many lines had it'),
  first_seen: Timestamp,
  last_seen: Timestamp,
})

export const UsageAnswer = z.strictObject({
  tier: Tier,
  requests_per_minute: z.int(),
  questions_per_minute: z.int().describe('Questions to the authorities that confirm VAT ids'),
  lines_per_request: z.int(),
  usage: z.strictObject({
    transaction_lines: Usage,
    refunds: Usage,
    customers: Usage,
    exemptions: Usage,
    filed_rows: Usage.describe('Lines that filed returns keep'),
    document_bytes: Usage.describe('Bytes of certificate files'),
    webhooks: Usage,
    registrations: Usage,
    api_keys: Usage.describe('Keys that are not revoked'),
    accounts: Usage.describe('Accounts that this one made as a platform'),
    deliveries_a_day: Usage.describe('Deliveries of webhooks that were made today (UTC)'),
  }),
  unknown_codes: z
    .array(UnknownCode)
    .describe(
      'Product codes of the last 90 days that have no product type here, the latest first; at most 200. ' +
        'Their lines were taxed in full',
    ),
  queried_at: Timestamp,
})

/**
 * Any subset of the fields. An address needs a country: null for the country, or another country, clears
 * the rest of it.
 */
export const AccountRequest = z.strictObject({
  name: text(200).min(1, 'must not be empty').optional(),
  country: Country.nullish().describe('Where the seller is established'),
  ...PARTS_OF_ADDRESS,
  vat_id: text(40).nullish(),
  vat_id_policy: VatIdPolicy.optional().describe(
    "Whether a customer's VAT id counts if its format is valid, or only if the authority confirmed it",
  ),
  small_business: z
    .boolean()
    .optional()
    .describe('The seller uses the small-business scheme of its country, so it charges no tax there'),
  global_turnover: TurnoverRequest.nullish().describe(
    'The worldwide turnover of twelve months. The thresholds of some countries count it. Null clears it',
  ),
  establishments: EstablishmentsRequest.optional().describe(
    'All places beside that of the account, each with its days. In a member state a fixed establishment: ' +
      'staff and means to make supplies there. A registration or a stock is none. Services to consumers in ' +
      'such a state are declared there, and not by a one-stop shop. In a state of the US an office, staff ' +
      'or stock, so the seller must register from the first sale, whatever the threshold. Default: none',
  ),
  time_zone: text(60)
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .optional()
    .describe('Reports, periods and thresholds use this time zone. Default: by country and region'),
  filing: FilingProfile.partial().optional(),
  taxjar_api: TaxJarProfileRequest.optional(),
  unknown_codes: UnknownCodesPolicy.optional().describe(
    'What to do with a product code that has no product type here. `tell`: tax the line in full, and say ' +
      'so. `refuse`: refuse the request. Default: `tell`',
  ),
  four_eyes: z
    .boolean()
    .optional()
    .describe(
      '`true`: a return is filed only after a review, by another person than the one who reviewed it. ' +
        'Needs the scope people:write. Default: `false`',
    ),
})

export type AccountBody = z.output<typeof AccountRequest>

const API_KEY = {
  id: z.string(),
  name: z.string().nullable(),
  prefix: z.string().describe('The first 12 characters of the key'),
  scopes: z.array(Scope),
  expires_at: Timestamp.nullable(),
  last_used_at: z.string().nullable().describe('The day of the last use; the time is not recorded'),
  revoked_at: Timestamp.nullable().describe('In the future for a rotated key that is still valid'),
  created_at: Timestamp,
  made_by: z
    .string()
    .nullable()
    .describe('The person who made it, or who made the key that did. Null: the operator, or not known'),
}

export const ApiKey = z.strictObject(API_KEY)

/** An account of a person who has signed in. */
export const AccountOfPerson = z.strictObject({
  id: z.string(),
  name: z.string(),
  sandbox: z.boolean(),
  role: Role,
})

/** The person who has signed in. */
export const SignedInPerson = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  accounts: z
    .array(AccountOfPerson)
    .describe('All accounts of the person. The header `X-Account` chooses one by its id; default: the first'),
})

/** The key or the person of the request, and the account. */
export const CurrentApiKeyAnswer = z.strictObject({
  id: z.string().describe('Of the key, or of the person'),
  scopes: z.array(Scope),
  expires_at: Timestamp.nullable(),
  sandbox: z.boolean().describe('Whether it is a key of an account for tests'),
  person: SignedInPerson.nullable().describe('Null: the request has a key'),
  account: Account.nullable().describe('Null: the key lacks the scope registrations:read'),
  queried_at: Timestamp,
})

export const ApiKeysQuery = z.strictObject(pageFields(100))

export const ApiKeysAnswer = z.strictObject({
  api_keys: z.array(ApiKey),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

const NEW_API_KEY = {
  ...API_KEY,
  key: z
    .string()
    .nullable()
    .describe(
      'Shown once. Null if an Idempotency-Key replays the answer, because the service does not store the key',
    ),
}

export const NewApiKeyAnswer = z.strictObject({ ...NEW_API_KEY, queried_at: Timestamp })

export const RotatedApiKeyAnswer = z.strictObject({
  ...NEW_API_KEY,
  replaces: z.strictObject({ id: z.string(), revoked_at: Timestamp }),
  queried_at: Timestamp,
})

export const NewApiKeyRequest = z.strictObject({
  name: text(200).nullish().describe('A name for people'),
  scopes: z.array(GrantableScope).min(1, 'must name at least one scope').max(GRANTABLE_SCOPES.length),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with a time zone' })
    .transform((moment) => new Date(moment).toISOString())
    .nullish()
    .describe('Default: the expiry of the key that sends this request'),
})

export const RotateApiKeyRequest = z.strictObject({
  grace_hours: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(168, 'must be at most 168 (7 days)')
    .optional()
    .describe('How many hours the old key stays valid. Default: 24'),
})
