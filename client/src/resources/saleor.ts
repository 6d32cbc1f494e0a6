import { answerOf, type CallOptions, type Http, sent, type WriteOptions } from '../call.ts'
import type {
  DeletedAnswer,
  NewSaleorInstallAnswer,
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
  }
}
