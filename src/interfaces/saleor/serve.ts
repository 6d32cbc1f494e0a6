import type { Context as HonoContext, Hono } from 'hono'
import type { App } from '../../platform/http/validate.ts'
import { answerSaleor, type SaleorPart } from './answer.ts'

/** Serves the app for shops on Saleor. */
export function serveSaleor(app: Hono<App>): void {
  const answer = (part: SaleorPart) => (c: HonoContext<App>) => answerSaleor(part, c)
  app.get('/saleor/:id/manifest', answer('manifest'))
  app.post('/saleor/:id/register', answer('register'))
  app.post('/saleor/:id/taxes', answer('taxes'))
  app.post('/saleor/:id/orders', answer('orders'))
}
