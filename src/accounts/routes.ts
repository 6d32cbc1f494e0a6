import * as z from 'zod'
import { pageFields } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import { createApiKey, revokeApiKey, listApiKeys, rotateApiKey } from './keys.ts'
import { getAccount, putAccount } from './profile.ts'
import {
  AccountAnswer,
  AccountUpdate,
  ApiKeyList,
  Deleted,
  NewApiKey,
  NewApiKeyAnswer,
  RotatedApiKeyAnswer,
  Rotation,
} from './schemas.ts'

export const accountRoutes: readonly Route[] = [
  // The profile says where the seller is established, which is what the registrations say too: one pair of
  // scopes guards both.
  route({
    method: 'get',
    path: '/v1/account',
    scope: 'registrations:read',
    tag: 'Account',
    summary: 'The account and its seller profile',
    answer: AccountAnswer,
    handle: (context) => getAccount(context),
  }),
  route({
    method: 'put',
    path: '/v1/account',
    scope: 'registrations:write',
    tag: 'Account',
    summary: 'Change the seller profile',
    description: 'Fields that are left out stay. With another country, region and postal code begin anew.',
    errors: ['invalid_region', 'invalid_postal_code', 'region_postal_code_mismatch'],
    body: AccountUpdate,
    example: { name: 'Acme GmbH', country: 'DE', postal_code: '10115' },
    answer: AccountAnswer,
    handle: (context, { body }) => putAccount(context, body),
  }),
  route({
    method: 'get',
    path: '/v1/api-keys',
    scope: 'keys:read',
    tag: 'API keys',
    summary: 'List the API keys that work',
    query: z.strictObject(pageFields(100)),
    answer: ApiKeyList,
    handle: (context, { query }) => listApiKeys(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    method: 'post',
    path: '/v1/api-keys',
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Make an API key',
    description: 'The key is shown once; only its hash is kept.',
    errors: ['scope_not_grantable'],
    status: 201,
    idempotent: true,
    body: NewApiKey,
    example: { name: 'Checkout', scopes: ['tax:read'] },
    answer: NewApiKeyAnswer,
    handle: (context, { body }) => createApiKey(context, body),
  }),
  route({
    method: 'delete',
    path: '/v1/api-keys/:id',
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Revoke an API key',
    answer: Deleted,
    handle: (context, { params }) => revokeApiKey(context, params['id'] ?? ''),
  }),
  route({
    method: 'post',
    path: '/v1/api-keys/:id/rotate',
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Replace an API key by a new one',
    description: 'The old one goes on for `grace_hours`: 24, unless told otherwise; 0 ends it at once.',
    errors: ['api_key_not_active', 'scope_not_grantable'],
    status: 201,
    idempotent: true,
    body: Rotation,
    example: { grace_hours: 24 },
    body_optional: true,
    answer: RotatedApiKeyAnswer,
    handle: (context, { params, body }) => rotateApiKey(context, params['id'] ?? '', body),
  }),
]
