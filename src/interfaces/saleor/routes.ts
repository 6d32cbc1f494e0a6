import { DeletedAnswer } from '../../platform/http/answers.ts'
import { feature, route } from '../../platform/http/route.ts'
import {
  DismissedOrderAnswer,
  NewSaleorInstallAnswer,
  RefusedOrdersAnswer,
  RefusedOrdersQuery,
  SaleorInstallRequest,
  SaleorInstallsAnswer,
} from './install-schemas.ts'
import { createInstall, deleteInstall, listInstalls } from './installs.ts'
import { dismissOrder, refusedOrdersOf } from './refused-orders.ts'

const INSTALL_ID = { id: 'The id of the shop, `sal_…`' }

const serves = ['/v1/saleor/']

export const saleorRoutes = feature(serves, [
  route({
    method: 'post',
    path: '/v1/saleor/installs',
    operation: 'createSaleorInstall',
    client: 'saleor.createInstall',
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
    handle: (context, { body, url }) => createInstall(context, body, url),
  }),
  route({
    method: 'get',
    path: '/v1/saleor/installs',
    operation: 'listSaleorInstalls',
    client: 'saleor.listInstalls',
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
    client: 'saleor.deleteInstall',
    writes: 'control',
    params: INSTALL_ID,
    scope: 'keys:write',
    tag: 'Shops',
    summary: 'Disconnect a shop on Saleor',
    description: 'Its key ends, and its secrets are deleted. What it recorded stays.',
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteInstall(context, params.id),
  }),
  route({
    method: 'get',
    path: '/v1/saleor/installs/:id/refused-orders',
    operation: 'listRefusedSaleorOrders',
    client: 'saleor.listRefusedOrders',
    params: INSTALL_ID,
    scope: 'transactions:read',
    tag: 'Shops',
    summary: 'List the orders of a shop that could not be recorded',
    description:
      'They were refused for a reason that trying again does not solve. Solve it in the shop or in ' +
      'your settings: each hour up to 20 of them are tried again, the longest untried first. Or ' +
      'record the sale yourself, with the external id `saleor:` and the id of the order, and it ' +
      'leaves the list.',
    query: RefusedOrdersQuery,
    answer: RefusedOrdersAnswer,
    handle: (context, { params, query }) => refusedOrdersOf(context, params.id, query),
  }),
  route({
    method: 'delete',
    path: '/v1/saleor/installs/:id/refused-orders/:order_id',
    operation: 'deleteRefusedSaleorOrder',
    client: 'saleor.dismissOrder',
    writes: 'control',
    params: { ...INSTALL_ID, order_id: 'The id of the order in Saleor' },
    scope: 'transactions:write',
    tag: 'Shops',
    summary: 'Dismiss an order that could not be recorded',
    description: 'It stays out of the books until the shop changes it.',
    answer: DismissedOrderAnswer,
    handle: (context, { params }) => dismissOrder(context, params.id, params.order_id),
  }),
])
