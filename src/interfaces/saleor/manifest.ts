import { RELEASE } from '../../platform/release.ts'
import { ORDER_QUERY, TAXES_QUERY } from './subscriptions.ts'

/**
 * The manifest of the app for one shop. It contains nothing of the account: the token is the one of the link,
 * and the registration checks it.
 */
export function manifestOf(origin: string, id: string, token: string): Readonly<Record<string, unknown>> {
  const base = `${origin}/saleor/${id}`
  return {
    // A shop may have an app of another installation of this service.
    id: `tax-compliance.${new URL(origin).host}`,
    version: RELEASE.split('+')[0],
    name: 'Tax Compliance Service',
    about: 'Sales tax, VAT and GST of checkouts and orders, and the books of the sales.',
    author: 'Tax Compliance Service',
    requiredSaleorVersion: '>=3.21 <4',
    permissions: ['HANDLE_TAXES', 'MANAGE_ORDERS'],
    appUrl: `${origin}/docs/saleor`,
    dataPrivacyUrl: `${origin}/docs/saleor`,
    supportUrl: `${origin}/docs/saleor`,
    tokenTargetUrl: `${base}/register?token=${token}`,
    extensions: [],
    webhooks: [
      {
        name: 'Taxes of checkouts',
        syncEvents: ['CHECKOUT_CALCULATE_TAXES'],
        query: TAXES_QUERY,
        targetUrl: `${base}/taxes`,
        isActive: true,
      },
      {
        name: 'Taxes of orders',
        syncEvents: ['ORDER_CALCULATE_TAXES'],
        query: TAXES_QUERY,
        targetUrl: `${base}/taxes`,
        isActive: true,
      },
      {
        name: 'Books',
        asyncEvents: ['ORDER_CONFIRMED', 'ORDER_CANCELLED', 'ORDER_REFUNDED', 'ORDER_FULLY_REFUNDED'],
        query: ORDER_QUERY,
        targetUrl: `${base}/orders`,
        isActive: true,
      },
    ],
  }
}
