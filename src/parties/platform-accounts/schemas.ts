import * as z from 'zod'
import { allows, SCOPES } from '../../platform/database/values/scopes.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { ExternalId, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField } from '../../platform/http/page.ts'
import { NewApiKeyRequest, Tier } from '../accounts/schemas.ts'

const PLATFORM_ACCOUNT = {
  id: z.string(),
  external_id: z.string(),
  name: z.string(),
  tier: Tier,
  sandbox: z.boolean(),
  suspended: z.boolean(),
  created_at: Timestamp,
}

/** An account that a platform made for one of its sellers. Of its books, the platform sees nothing. */
export const PlatformAccount = z.strictObject(PLATFORM_ACCOUNT)

export const PlatformAccountAnswer = z.strictObject({ ...PLATFORM_ACCOUNT, queried_at: Timestamp })

export const PlatformAccountRequest = z.strictObject({
  external_id: ExternalId,
  name: text(200).trim().min(1, 'must not be empty'),
})

export const PlatformAccountsQuery = z.strictObject({
  limit: limitField(100),
  cursor: cursorField(/^acct_[0-9a-z]{26}$/),
})

export const PlatformAccountsAnswer = z.strictObject({
  accounts: z.array(PlatformAccount),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

/** The scopes that concern one account and its books alone: `*` contains them. */
const TENANT_SCOPES = SCOPES.filter((scope) => allows(new Set(['*']), scope))

/** A scope of one account alone: an account under a platform is no platform itself. */
export const TenantScope = z.enum(TENANT_SCOPES, `must be one of ${TENANT_SCOPES.join(', ')}`)

/** As NewApiKeyRequest, for an account under the platform. */
export const PlatformAccountKeyRequest = NewApiKeyRequest.extend({
  scopes: z
    .array(TenantScope)
    .min(1, 'must name at least one scope')
    .max(TENANT_SCOPES.length, `must have at most ${TENANT_SCOPES.length} scopes`),
})
