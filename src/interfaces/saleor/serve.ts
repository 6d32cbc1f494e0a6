import type { Context as HonoContext, Hono } from 'hono'
import type { App } from '../../platform/http/validate.ts'
import type { SaleorPart } from './answer.ts'

/** Serves the app for shops on Saleor. Its code is evaluated at its first message. */
export function serveSaleor(app: Hono<App>): void {
  const answer = (part: SaleorPart) => async (c: HonoContext<App>) =>
    (await import('./answer.ts')).answerSaleor(part, c)
  app.get('/saleor/:id/manifest', answer('manifest'))
  app.post('/saleor/:id/register', answer('register'))
  app.post('/saleor/:id/taxes', answer('taxes'))
  app.post('/saleor/:id/orders', answer('orders'))
}
