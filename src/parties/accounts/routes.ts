import { DeletedAnswer } from '../../platform/http/answers.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { createApiKey, revokeApiKey, listApiKeys, rotateApiKey } from './keys.ts'
import type { FurtherMatters } from './attention-store.ts'
import { getAccount, putAccount } from './profile.ts'
import { getCurrentApiKey } from './current-key.ts'
import { deleteOwnRates, getOwnRates, listOwnRates, putOwnRates } from './own-rates.ts'
import { OwnRatesAnswer, OwnRatesOfPlace, OwnRatesQuery, OwnRatesRequest } from './own-rates-schemas.ts'
import { getUsage } from './usage.ts'
import {
  AccountAnswer,
  AccountRequest,
  ApiKeysAnswer,
  ApiKeysQuery,
  CurrentApiKeyAnswer,
  NewApiKeyAnswer,
  NewApiKeyRequest,
  RotateApiKeyRequest,
  RotatedApiKeyAnswer,
  UsageAnswer,
} from './schemas.ts'

/** The routes of the account. `further` reads matters for `attention` that the wings above know. */
export const accountRoutesWith = (further: FurtherMatters): readonly Route[] => [
  ...profileRoutes(further),
  ...ownRateRoutes,
  ...usageRoutes,
  currentKeyRoute(further),
  ...keyRoutes,
]

const profileRoutes = (further: FurtherMatters): readonly Route[] => [
  // The profile and the registrations both contain where the seller is established, so they share a pair of
  // scopes.
  route({
    method: 'get',
    path: '/v1/account',
    operation: 'getAccount',
    client: 'account.get',
    scope: 'registrations:read',
    tag: 'Account',
    summary: 'The account and its seller profile',
    answer: AccountAnswer,
    handle: (context) => getAccount(context, further),
  }),
  route({
    method: 'put',
    path: '/v1/account',
    operation: 'updateAccount',
    client: 'account.update',
    writes: 'control',
    scope: 'registrations:write',
    tag: 'Account',
    summary: 'Change the seller profile',
    description: 'Omitted fields stay. A new country clears the rest of the address, unless it is given.',
    errors: ['invalid_region', 'invalid_postal_code', 'region_postal_code_mismatch', 'concurrent_change'],
    body: AccountRequest,
    example: { name: 'Acme GmbH', country: 'DE', city: 'Berlin', postal_code: '10115' },
    answer: AccountAnswer,
    handle: (context, { body }) => putAccount(context, body, further),
  }),
]

const ofPlace = {
  tag: 'Account',
  path: '/v1/account/own-rates/:id',
  params: { id: 'The id of a jurisdiction, or a country, such as `IL`' },
} as const

/** Rates for places that the data does not cover, or in place of those of the data. */
const ownRateRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/account/own-rates',
    operation: 'listOwnRates',
    client: 'ownRates.list',
    scope: 'registrations:read',
    tag: 'Account',
    summary: 'List your own rates',
    query: OwnRatesQuery,
    answer: OwnRatesAnswer,
    handle: (context, { query }) => listOwnRates(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...ofPlace,
    method: 'get',
    operation: 'getOwnRates',
    client: 'ownRates.get',
    scope: 'registrations:read',
    summary: 'Your own rates for one place',
    answer: OwnRatesOfPlace,
    handle: (context, { params }) => getOwnRates(context, params.id),
  }),
  route({
    ...ofPlace,
    method: 'put',
    operation: 'updateOwnRates',
    client: 'ownRates.update',
    writes: 'control',
    scope: 'registrations:write',
    idempotent: true,
    summary: 'Set your own rates for one place',
    description:
      'They replace those of the place. They are used only where the answer would be `not_supported`, and ' +
      'each line with one has the reason `own_rate`. You say that the tax is due and that the rate ' +
      'is right: it is not verified here. Rates in the data come first, unless you send `replaces` with a ' +
      'last day (`until`), because one of them is wrong. A sale that a marketplace makes for you has none ' +
      'of them. End a rate with `valid_to`, so that earlier days keep it.',
    errors: ['unknown_jurisdiction', 'concurrent_change'],
    body: OwnRatesRequest,
    example: {
      rates: [{ rate: 0.18, valid_from: '2025-01-01', source: 'Value Added Tax Order of 2024' }],
    },
    answer: OwnRatesOfPlace,
    handle: (context, { params, body }) => putOwnRates(context, params.id, body),
  }),
  route({
    ...ofPlace,
    method: 'delete',
    operation: 'deleteOwnRates',
    client: 'ownRates.delete',
    writes: 'control',
    scope: 'registrations:write',
    summary: 'Delete your own rates for one place',
    description: 'Recorded sales and their refunds keep the rates that they have.',
    errors: ['concurrent_change'],
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteOwnRates(context, params.id),
  }),
]

const usageRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/account/usage',
    operation: 'getAccountUsage',
    client: 'account.usage',
    scope: 'registrations:read',
    tag: 'Account',
    summary: 'The stored rows of the account and their quotas',
    description:
      'A write that would pass a quota is refused as a whole, with `quota_exceeded`. Stored rows stay.',
    answer: UsageAnswer,
    handle: (context) => getUsage(context),
  }),
  route({
    method: 'get',
    path: '/v1/api-keys',
    operation: 'listApiKeys',
    client: 'apiKeys.list',
    scope: 'keys:read',
    tag: 'API keys',
    summary: 'List the API keys that are valid',
    query: ApiKeysQuery,
    answer: ApiKeysAnswer,
    handle: (context, { query }) => listApiKeys(context, query.limit ?? 50, query.offset ?? 0),
  }),
]

const currentKeyRoute = (further: FurtherMatters): Route =>
  route({
    method: 'get',
    path: '/v1/api-keys/current',
    operation: 'getCurrentApiKey',
    client: 'apiKeys.current',
    scope: null,
    tag: 'API keys',
    summary: 'The key of this request, with its scopes and its account',
    answer: CurrentApiKeyAnswer,
    handle: (context) => getCurrentApiKey(context, further),
  })

const keyRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/v1/api-keys',
    operation: 'createApiKey',
    client: 'apiKeys.create',
    writes: 'control',
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Create an API key',
    description: 'The key is shown once; the service only stores its hash.',
    errors: ['scope_not_grantable'],
    status: 201,
    idempotent: true,
    body: NewApiKeyRequest,
    example: { name: 'Checkout', scopes: ['tax:read'] },
    answer: NewApiKeyAnswer,
    handle: (context, { body }) => createApiKey(context, body),
  }),
  route({
    method: 'delete',
    path: '/v1/api-keys/:id',
    operation: 'revokeApiKey',
    client: 'apiKeys.delete',
    writes: 'control',
    params: { id: 'The id of the key, `key_…`' },
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'A key can revoke itself, and keys whose scopes it has.',
    errors: ['scope_not_grantable'],
    answer: DeletedAnswer,
    handle: (context, { params }) => revokeApiKey(context, params.id),
  }),
  route({
    method: 'post',
    path: '/v1/api-keys/:id/rotate',
    operation: 'rotateApiKey',
    client: 'apiKeys.rotate',
    writes: 'control',
    params: { id: 'The id of the key, `key_…`' },
    scope: 'keys:write',
    tag: 'API keys',
    summary: 'Replace an API key by a new one',
    description: 'The old key stays valid for `grace_hours`, 24 by default; 0 ends it at once.',
    errors: ['api_key_not_active', 'scope_not_grantable'],
    status: 201,
    idempotent: true,
    body: RotateApiKeyRequest,
    example: { grace_hours: 24 },
    body_optional: true,
    answer: RotatedApiKeyAnswer,
    handle: (context, { params, body }) => rotateApiKey(context, params.id, body),
  }),
]
