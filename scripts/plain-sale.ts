import type { Sale, SaleLine } from '../src/engine/sale/sale.ts'

type Asked = Pick<Sale, 'currency' | 'day' | 'seller'> & { to: Sale['customer']['address'] }

/** A sale of one line to a consumer, with nothing else said. */
export function plainSale({ to, ...sale }: Asked, line: Pick<SaleLine, 'amount' | 'product_type'>): Sale {
  return {
    ...sale,
    customer: { address: to, type: 'individual', vat_id: null },
    ship_from: null,
    importer: null,
    delivery: null,
    local_fallback: null,
    einvoice: null,
    marketplace: null,
    supply_address: null,
    lines: [
      {
        ...line,
        discount: 0,
        quantity: 1,
        tax_behavior: 'exclusive',
        taxable: true,
        live: false,
        exemptions: [],
        funded_discount: 0,
        trade_in: 0,
        bundle: [],
      },
    ],
    shipping: null,
    rounding: 'line',
    seller_registered: null,
    exemptions: [],
    explain: false,
  }
}
