import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  DeletedAnswer,
  DismissedOrderAnswer,
  NewSaleorInstallAnswer,
  RefusedOrdersAnswer,
  SaleorInstallRequest,
  SaleorInstallsAnswer,
} from '../schema.ts'

/** Shops on Saleor that are connected to the account. */
export function saleor(http: Http) {
  return {
    /** Makes the link that connects a shop, once. The answer is the only place that shows it. */
    createInstall: (install: SaleorInstallRequest, options: WriteOptions = {}) =>
      answerOf<NewSaleorInstallAnswer>(http.POST('/v1/saleor/installs', { body: install, ...sent(options) })),

    listInstalls: (options: CallOptions = {}) =>
      answerOf<SaleorInstallsAnswer>(http.GET('/v1/saleor/installs', sent(options))),

    /** Disconnects a shop. What it recorded stays. */
    deleteInstall: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/saleor/installs/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** The orders of a shop that are not in the books, the newest first, with the reason of each. */
    listRefusedOrders: (
      id: string,
      query: QueryOf<'listRefusedSaleorOrders'> = {},
      options: CallOptions = {},
    ) =>
      listOf(
        (next) =>
          answerOf<RefusedOrdersAnswer>(
            http.GET('/v1/saleor/installs/{id}/refused-orders', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.orders,
      ),

    /** Says that the books need not have an order. */
    dismissOrder: (id: string, order_id: string, options: CallOptions = {}) =>
      answerOf<DismissedOrderAnswer>(
        http.DELETE('/v1/saleor/installs/{id}/refused-orders/{order_id}', {
          params: { path: { id, order_id } },
          ...sent(options),
        }),
      ),
  }
}
