import { DeletedAnswer } from '../../platform/http/answers.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { NewSaleorInstallAnswer, SaleorInstallRequest, SaleorInstallsAnswer } from './install-schemas.ts'
import { createInstall, deleteInstall, listInstalls } from './installs.ts'

export const saleorRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/v1/saleor/installs',
    operation: 'createSaleorInstall',
    writes: 'control',
    scope: 'keys:write',
    tag: 'Shops',
    summary: 'Make the link that connects a shop on Saleor',
    description:
      'Open `manifest_url` in the dashboard of the shop within a day. It makes a key with the scopes ' +
      '`tax:read`, `transactions:read` and `transactions:write`, which your key must have.',
    errors: ['scope_not_grantable', 'quota_exceeded', 'too_many_installs'],
    status: 201,
    idempotent: true,
    body: SaleorInstallRequest,
    example: { saleor_api_url: 'https://hooks.example.com/graphql/' },
    answer: NewSaleorInstallAnswer,
    handle: (context, { body }) => createInstall(context, body),
  }),
  route({
    method: 'get',
    path: '/v1/saleor/installs',
    operation: 'listSaleorInstalls',
    scope: 'keys:read',
    tag: 'Shops',
    summary: 'List the shops on Saleor',
    answer: SaleorInstallsAnswer,
    handle: (context) => listInstalls(context),
  }),
  route({
    method: 'delete',
    path: '/v1/saleor/installs/:id',
    operation: 'deleteSaleorInstall',
    writes: 'control',
    params: { id: 'The id of the shop, `sal_…`' },
    scope: 'keys:write',
    tag: 'Shops',
    summary: 'Disconnect a shop on Saleor',
    description: 'Its key ends, and its secrets are deleted. What it recorded stays.',
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteInstall(context, params.id),
  }),
]
