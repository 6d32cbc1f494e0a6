import { feature, route } from '../../platform/http/route.ts'
import { NewApiKeyAnswer } from '../accounts/schemas.ts'
import { createPlatformAccount } from './create.ts'
import { createPlatformAccountKey } from './create-key.ts'
import { getPlatformAccount, listPlatformAccounts } from './read.ts'
import {
  PlatformAccountAnswer,
  PlatformAccountKeyRequest,
  PlatformAccountRequest,
  PlatformAccountsAnswer,
  PlatformAccountsQuery,
} from './schemas.ts'

const shared = { tag: 'Platforms', scope: 'platform:write', answer: PlatformAccountAnswer } as const

const serves = ['/v1/accounts']

/** The accounts that a platform makes for its sellers (docs/platforms.md). */
export const platformAccountRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/accounts',
    operation: 'createPlatformAccount',
    client: 'accounts.create',
    writes: 'control',
    summary: 'Make an account for a seller of your platform',
    description:
      'It has its own books, keys and people. Its tier is that of your account, and it is an account for ' +
      'tests if yours is. The same `external_id` again answers the account that exists, with the name that ' +
      'it has now. Give it a key next: with that, `PUT /v1/account` sets its profile, and ' +
      '`POST /v1/people` adds its owner.',
    errors: ['concurrent_change'],
    status: 201,
    idempotent: true,
    body: PlatformAccountRequest,
    example: { external_id: 'seller-1001', name: 'Example Ceramics' },
    handle: (context, { body }) => createPlatformAccount(context, body),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/accounts',
    operation: 'listPlatformAccounts',
    client: 'accounts.list',
    summary: 'List the accounts of your platform, newest first',
    query: PlatformAccountsQuery,
    answer: PlatformAccountsAnswer,
    handle: (context, { query }) => listPlatformAccounts(context, query),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/accounts/external/:external_id',
    operation: 'getPlatformAccountByExternalId',
    client: 'accounts.getByExternalId',
    params: { external_id: 'Your own reference' },
    summary: 'One account of your platform by your own reference',
    handle: (context, { params }) => getPlatformAccount(context, 'external_id', params.external_id),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/accounts/:id',
    operation: 'getPlatformAccount',
    client: 'accounts.get',
    params: { id: 'The id of the account, `acct_…`' },
    summary: 'One account of your platform',
    handle: (context, { params }) => getPlatformAccount(context, 'id', params.id),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/v1/accounts/:id/api-keys',
    operation: 'createPlatformAccountKey',
    client: 'accounts.createKey',
    writes: 'control',
    params: { id: 'The id of the account, `acct_…`' },
    summary: 'Make a key for an account of your platform',
    description:
      'The key is shown once; the service only stores its hash. It sees the books of that account alone. ' +
      'With the scope `keys:write`, it makes, rotates and revokes the other keys of the account.',
    errors: ['account_suspended'],
    status: 201,
    idempotent: true,
    body: PlatformAccountKeyRequest,
    example: { name: 'Shop', scopes: ['*'] },
    answer: NewApiKeyAnswer,
    handle: (context, { params, body }) => createPlatformAccountKey(context, params.id, body),
  }),
])
