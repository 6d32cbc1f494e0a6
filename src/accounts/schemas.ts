import * as z from 'zod'
import { Country, text } from '../http/fields.ts'
import { SCOPES, TIERS } from './scopes.ts'

const Timestamp = z.iso.datetime()

export const AccountAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  tier: z.enum(TIERS),
  sandbox: z.boolean(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  postal_code: z.string().nullable(),
  vat_id: z.string().nullable(),
  vat_id_policy: z.enum(['format', 'validated']),
  created_at: Timestamp,
  updated_at: Timestamp,
  queried_at: Timestamp,
})

/**
 * Any subset. An address without a country says nothing: null for the country clears region and postal code
 * too.
 */
export const AccountUpdate = z.strictObject({
  name: text(200).min(1, 'must not be empty').optional(),
  country: Country.nullish(),
  region: text(100).nullish(),
  postal_code: text(20).nullish(),
  vat_id: text(40).nullish(),
  vat_id_policy: z.enum(['format', 'validated']).optional(),
})

const ApiKeyFields = {
  id: z.string(),
  name: z.string().nullable(),
  prefix: z.string().describe('The first 12 characters of the key'),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: Timestamp.nullable(),
  last_used_at: z.string().nullable().describe('A day: uses are not recorded more finely'),
  revoked_at: Timestamp.nullable().describe('In the future for a rotated key that still works'),
  created_at: Timestamp,
}

export const ApiKeyList = z.strictObject({
  api_keys: z.array(z.strictObject(ApiKeyFields)),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  queried_at: Timestamp,
})

export const NewApiKeyAnswer = z.strictObject({
  ...ApiKeyFields,
  key: z
    .string()
    .nullable()
    .describe('Shown once. Null when an Idempotency-Key replays the answer: the service does not keep it'),
  queried_at: Timestamp,
})

export const RotatedApiKeyAnswer = z.strictObject({
  ...NewApiKeyAnswer.shape,
  replaces: z.strictObject({ id: z.string(), revoked_at: Timestamp }),
})

export const NewApiKey = z.strictObject({
  name: text(200).nullish(),
  scopes: z
    .array(z.enum(SCOPES, `is not a scope: choose of ${SCOPES.join(', ')}`))
    .min(1, 'must name at least one scope')
    .max(SCOPES.length),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with a zone' })
    .transform((moment) => new Date(moment).toISOString())
    .nullish(),
})

export const Rotation = z.strictObject({
  grace_hours: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(168, 'must be at most 168 (7 days)')
    .optional(),
})

export const Deleted = z.strictObject({ id: z.string(), deleted: z.literal(true), queried_at: Timestamp })
