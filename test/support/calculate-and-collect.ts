import { readFileSync } from 'node:fs'
import { askedCalculation } from '../../src/sales/calculation/asked-calculation.ts'
import { assessRequest, saleOf } from '../../src/sales/calculation/sale-of-request.ts'
import { customerVatIdOf } from '../../src/parties/customers/customer-vat-id.ts'
import { withAmounts } from '../../src/sales/calculation/line-amounts.ts'
import { CalculateRequest } from '../../src/sales/calculation/schemas.ts'
import { withOwnTypes } from '../../src/tax-data/product-codes/product-of-code.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'

/**
 * Calculates until V8 has optimised the engine, then collects all garbage. Run with `--expose-gc
 * --trace-deopt`, it prints the functions whose optimised code V8 discards. The first argument names a file of
 * facts: their reader stays out of this process, because it has functions with names of the engine.
 */
const book = openRateBook(JSON.parse(readFileSync(invariant(process.argv[2], 'a file is given'), 'utf8')))
const context = {
  principal: {
    seller: null,
    registrations: [],
    over_eu_threshold: false,
    small_business: false,
    vat_id_policy: 'format',
  },
} as unknown as Parameters<typeof saleOf>[0]

const BODIES = [
  {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
    line_items: [{ reference: 'a', amount: 1999, product_type: 'saas' }],
  },
  {
    currency: 'EUR',
    seller: { country: 'FR' },
    customer: { address: { country: 'FR' }, type: 'individual' },
    line_items: [{ amount: 500, quantity: 2, product_type: 'books', description: 'Novel' }],
    shipping_cost: { amount: 300 },
  },
  {
    currency: 'EUR',
    seller: { country: 'DE' },
    customer: { address: { country: 'NL', postal_code: '1012 AB' }, vat_id: 'NL123456782B12' },
    line_items: [
      { reference: 'b', amount: 9900, product_type: 'saas', tax_behavior: 'inclusive' },
      { amount: 700, product_type: 'physical_goods', discount: 200 },
    ],
    discount_amount: 100,
  },
  {
    currency: 'CAD',
    seller: { country: 'CA', region: 'ON', registrations: ['CA', 'CA-QC'] },
    customer: { address: { country: 'CA', region: 'QC', postal_code: 'H2X 1Y4' } },
    line_items: [{ amount: 4500, product_type: 'books' }],
    explain: true,
  },
  {
    currency: 'USD',
    seller: { country: 'US', region: 'DE', registrations: ['US-CA'] },
    customer: { address: { country: 'US', region: 'CA', postal_code: '94105', city: 'San Francisco' } },
    line_items: [{ amount: 2500, product_type: 'physical_goods', taxable: true }],
    shipping_cost: { amount: 500, tax_behavior: 'exclusive' },
  },
  {
    currency: 'GBP',
    customer: { address: { country: 'GB' } },
    line_items: [{ amount: 2500, product_type: 'basic_food' }],
    seller_registered: true,
  },
].map((body) => JSON.stringify(body))

const reads = {
  vat_id: customerVatIdOf,
  scheme: null,
  rare_lines: null,
  facilitator: null,
  open_facts: null,
  country_alone: null,
}

function calculate(text: string): number {
  const requested = CalculateRequest.parse(JSON.parse(text))
  const line_items = withOwnTypes(withAmounts(requested.line_items))
  if (line_items instanceof Promise) throw new Error('No line has a code of another service')
  const body = { ...requested, line_items }
  const { sale } = saleOf(context, book, askedCalculation(body), '2026-06-15', null, reads)
  return assessRequest(sale, book, null).tax_amount
}

let sum = 0
for (let round = 0; round < 4; round += 1) {
  for (let index = 0; index < 20_000; index += 1) sum += calculate(BODIES[index % BODIES.length] ?? '')
  globalThis.gc?.()
}
console.log(`sum ${sum}`)
