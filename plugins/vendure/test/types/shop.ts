import type { VendureConfig } from '@vendure/core'
import { createClient } from 'tax-compliance'
import { TaxCompliancePlugin, TaxComplianceService } from '../../index'

const url = 'https://tax.example.com'

/** A project of Vendure, as its compiler reads it. */
export const config: Partial<VendureConfig> = {
  plugins: [
    TaxCompliancePlugin.init({
      url,
      apiKey: 'key',
      productType: (variant, line) => (variant.sku === '' || line.quantity === 0 ? 'saas' : 'books'),
      surchargeType: (surcharge) => (surcharge.sku === '' ? 'physical_goods' : 'professional_services'),
      customer: (order) => ({ vat_id: order.customer?.emailAddress ?? null }),
      onFailure: 'last_known',
      checkout: { time_limit_ms: 2_000 },
      onTrouble: ({ outcome }) => outcome,
      onUnrecorded: ({ entry, why }) => [entry.id, why],
      onChanged: (change) => (change.what === 'modified' ? change.price_change.toFixed() : change.order_code),
    }),
    // @ts-expect-error The policy is required.
    TaxCompliancePlugin.init({ url, apiKey: 'key', productType: () => 'books' }),
    // @ts-expect-error A policy of another name is refused.
    TaxCompliancePlugin.init({ url, apiKey: 'key', productType: () => 'books', onFailure: 'zero' }),
  ],
}

export const done: (service: TaxComplianceService) => Promise<number> = (service) => service.flush()
export const client = createClient({ baseUrl: url, apiKey: 'key' })
